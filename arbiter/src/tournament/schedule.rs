//! Who sits where in which game.

/// The unit of play that a game belongs to, from 0: a rotation of the players through all seats, over one opening.
/// `game` counts from 1.
#[must_use]
pub fn unit(game: u32, seats: usize) -> u32 {
    (game - 1) / seats as u32
}

/// The player in each seat of a game: everybody moves on by one seat from game to game. `game` counts from 1.
#[must_use]
pub fn players_by_seat(game: u32, seats: usize) -> Vec<usize> {
    let turn = (game as usize - 1) % seats;
    (0..seats).map(|seat| (seat + seats - turn) % seats).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_unit_every_player_sits_in_every_seat_once() {
        for seats in 2..=6 {
            let games = 1..=seats as u32;
            for player in 0..seats {
                let mut taken: Vec<usize> = games
                    .clone()
                    .map(|game| players_by_seat(game, seats).iter().position(|&p| p == player).unwrap())
                    .collect();
                taken.sort_unstable();
                assert_eq!(taken, (0..seats).collect::<Vec<_>>());
            }
            assert!(games.clone().all(|game| unit(game, seats) == 0));
            assert_eq!(unit(seats as u32 + 1, seats), 1);
        }
    }

    #[test]
    fn the_first_game_seats_players_in_the_order_of_the_command_line() {
        assert_eq!(players_by_seat(1, 3), [0, 1, 2]);
        assert_eq!(players_by_seat(2, 3), [2, 0, 1]);
    }
}
