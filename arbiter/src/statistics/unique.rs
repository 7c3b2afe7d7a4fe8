//! Whether results have one best explanation, and who can be compared with whom.

/// Whether everybody made a point against everybody else, directly or over others: then, and only then, strengths have
/// one finite maximum of the likelihood (L. R. Ford Jr., Amer. Math. Monthly 64 (1957); for more than two seats D. R.
/// Hunter, Ann. Statist. 32 (2004)). `points` lists who made at least a part of a point against whom.
pub(super) fn all_bounded(players: usize, points: &[(usize, usize)]) -> bool {
    let backward: Vec<(usize, usize)> = points.iter().map(|&(winner, loser)| (loser, winner)).collect();
    [points, &backward].into_iter().all(|arcs| reached(players, arcs).into_iter().all(|reached| reached))
}

/// Who is reached from player 0 along the arcs.
fn reached(players: usize, arcs: &[(usize, usize)]) -> Vec<bool> {
    let mut targets = vec![Vec::new(); players];
    arcs.iter().for_each(|&(from, to)| targets[from].push(to));
    let mut reached = vec![false; players];
    let mut open = vec![0];
    while let Some(player) = open.pop() {
        if !std::mem::replace(&mut reached[player], true) {
            open.extend(&targets[player]);
        }
    }
    reached
}

/// The group of each player, numbered in order of first member: players of one group met, directly or over others.
pub(super) fn groups(players: usize, met: &[(usize, usize)]) -> Vec<usize> {
    let mut leader: Vec<usize> = (0..players).collect();
    fn find(leader: &mut [usize], mut player: usize) -> usize {
        while leader[player] != player {
            leader[player] = leader[leader[player]];
            player = leader[player];
        }
        player
    }
    for &(a, b) in met {
        let (a, b) = (find(&mut leader, a), find(&mut leader, b));
        leader[a.max(b)] = a.min(b);
    }
    let mut number = vec![usize::MAX; players];
    let mut next = 0;
    (0..players)
        .map(|player| {
            let first = find(&mut leader, player);
            if number[first] == usize::MAX {
                number[first] = next;
                next += 1;
            }
            number[first]
        })
        .collect()
}
