//! The cheapest way to put everybody into pairs.
//!
//! J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices" (1965), in the form with dual variables described by
//! Z. Galil, ACM Computing Surveys 18 (1986). Every vertex has a price, an edge is *tight* when its two prices pay for it
//! exactly, and only tight edges are used. From every unmatched vertex grows a tree of alternately unmatched and matched
//! edges; vertices an even way from a root are *outer*, the others *inner*. A tight edge between two trees makes the
//! matching larger; one within a tree closes an odd circle, which from then on is treated as one vertex, a *blossom*.
//! Where nothing is tight, prices move until something is. Numbers are whole, so the answer is exact.
//!
//! Each search matches two more, and all unmatched ones have to be looked at anew in each. So a large field begins with a first
//! guess, in which most have a partner already: everybody's price goes as low as the prices of the others let it, one after
//! another, and whoever finds somebody free over a tight edge is matched. The searches mend the rest.

/// The smallest field with a first guess. Where several pairings cost the least, a guess can lead to another one of them, and
/// saved tournaments of fewer players were drawn without.
const LARGE: usize = 256;

/// The partner of each of an even number of vertices, such that the sum of the costs of all pairs is least.
/// `cost` is asked for two different vertices, in ascending order; sums of all costs must stay far below 2^125.
pub(super) fn cheapest_pairs(vertices: usize, cost: impl Fn(usize, usize) -> i128) -> Vec<usize> {
    assert!(vertices.is_multiple_of(2), "an odd vertex has no partner");
    let mut search = Search::new(vertices, cost);
    if vertices >= LARGE {
        search.guess();
    }
    search.finish()
}

/// What a top-level vertex or blossom is in the forest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// In no tree.
    Outside,
    /// An even way from a root.
    Outer,
    /// An odd way from a root, reached over this edge: its end in the outer one, its end in this one.
    Inner(usize, usize),
}

/// A vertex, or an odd circle of vertices and blossoms with a tight edge from each to the next.
#[derive(Clone, Debug)]
struct Node {
    /// The circle, beginning with the one that holds the base; empty for a vertex.
    children: Vec<usize>,
    /// The edge from each child to the next: its end in the child, its end in the next.
    links: Vec<(usize, usize)>,
    /// The vertex that is matched outside, or not at all.
    base: usize,
    /// Twice the price of the blossom.
    price: i128,
    role: Role,
}

struct Search {
    /// Four times the gain of each edge, which is its cost with the other sign.
    gain: Vec<Vec<i128>>,
    partner: Vec<Option<usize>>,
    price: Vec<i128>,
    /// Vertices, then blossoms; numbers of dissolved ones are free.
    nodes: Vec<Node>,
    free: Vec<usize>,
    /// The outermost node of each vertex.
    top: Vec<usize>,
    blossoms: Vec<usize>,
    /// The outer vertex, in another node, from which each vertex is cheapest to reach, with the slack of their edge. A field's
    /// edges are too many for fast memory, so slacks that are asked for at every step are kept.
    nearest: Vec<Option<(usize, i128)>>,
}

/// What happens next when prices move.
enum Event {
    /// An edge from an outer vertex to a vertex outside the forest becomes tight.
    Reach(usize, usize),
    /// An edge between two outer vertices becomes tight.
    Meet(usize, usize),
    /// The price of an inner blossom reaches 0.
    Dissolve(usize),
}

impl Search {
    fn new(vertices: usize, cost: impl Fn(usize, usize) -> i128) -> Search {
        let gain_of = |a: usize, b: usize| if a == b { 0 } else { -4 * cost(a.min(b), a.max(b)) };
        let gain: Vec<Vec<i128>> =
            (0..vertices).map(|a| (0..vertices).map(|b| gain_of(a, b)).collect()).collect();
        let greatest = gain.iter().flatten().copied().max().unwrap_or(0);
        let vertex =
            |base| Node { children: Vec::new(), links: Vec::new(), base, price: 0, role: Role::Outside };
        Search {
            gain,
            partner: vec![None; vertices],
            price: vec![greatest / 2; vertices],
            nodes: (0..vertices).map(vertex).collect(),
            free: Vec::new(),
            top: (0..vertices).collect(),
            blossoms: Vec::new(),
            nearest: vec![None; vertices],
        }
    }

    /// Matches as many as one look at everybody can. All prices are even, as they have to be for slacks of unmatched
    /// vertices to be so: gains are multiples of 4.
    fn guess(&mut self) {
        let vertices = self.vertices();
        let others = move |vertex| (0..vertices).filter(move |&other| other != vertex);
        for vertex in 0..vertices {
            let best = others(vertex).map(|other| self.gain[vertex][other]).max();
            self.price[vertex] = best.expect("nobody is alone") / 2;
        }
        for vertex in 0..vertices {
            if self.partner[vertex].is_some() {
                continue;
            }
            let worth =
                |other: usize| (self.gain[vertex][other] - self.price[other], self.partner[other].is_none());
            let other = others(vertex).max_by_key(|&other| worth(other)).expect("nobody is alone");
            let (price, is_free) = worth(other);
            self.price[vertex] = price;
            if is_free {
                (self.partner[vertex], self.partner[other]) = (Some(other), Some(vertex));
            }
        }
    }

    fn finish(mut self) -> Vec<usize> {
        let unmatched = self.partner.iter().filter(|partner| partner.is_none()).count();
        (0..unmatched / 2).for_each(|_| self.grow_forest());
        self.partner.into_iter().map(|partner| partner.expect("every search matches two more")).collect()
    }

    fn vertices(&self) -> usize {
        self.partner.len()
    }

    /// By how much the prices of two vertices in different nodes exceed what their edge is worth.
    fn slack(&self, a: usize, b: usize) -> i128 {
        self.price[a] + self.price[b] - self.gain[a][b]
    }

    fn role(&self, vertex: usize) -> Role {
        self.nodes[self.top[vertex]].role
    }

    /// Grows trees from all unmatched vertices until two more are matched.
    fn grow_forest(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.role = Role::Outside);
        self.nearest.fill(None);
        for vertex in 0..self.vertices() {
            if self.partner[vertex].is_none() {
                self.become_outer(self.top[vertex]);
            }
        }
        loop {
            match self.move_prices() {
                Event::Reach(from, to) => {
                    let inner = self.top[to];
                    self.nodes[inner].role = Role::Inner(from, to);
                    let next =
                        self.partner[self.nodes[inner].base].expect("it is matched, or it would be a root");
                    self.become_outer(self.top[next]);
                }
                Event::Meet(a, b) => match self.common_ancestor(a, b) {
                    Some(ancestor) => self.close_circle(a, b, ancestor),
                    None => {
                        self.flip_path(a, b);
                        self.flip_path(b, a);
                        return;
                    }
                },
                Event::Dissolve(node) => self.dissolve(node),
            }
        }
    }

    /// Moves the prices of the forest as far as nothing is violated, and tells what stopped them.
    fn move_prices(&mut self) -> Event {
        let mut best: Option<(i128, Event)> = None;
        let mut consider = |distance: i128, event: Event| {
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, event));
            }
        };
        for (vertex, nearest) in self.nearest.iter().enumerate() {
            let Some((from, slack)) = *nearest else { continue };
            match self.role(vertex) {
                Role::Outside => consider(slack, Event::Reach(from, vertex)),
                Role::Outer => consider(slack / 2, Event::Meet(from, vertex)),
                Role::Inner(..) => {}
            }
        }
        for &node in &self.top {
            if let (Role::Inner(..), false) = (self.nodes[node].role, self.nodes[node].children.is_empty()) {
                consider(self.nodes[node].price / 2, Event::Dissolve(node));
            }
        }
        let (distance, event) = best.expect("among an even number of vertices two can always meet");
        for vertex in 0..self.vertices() {
            // The other end of the nearest edge is outer.
            let (price, slack) = match self.role(vertex) {
                Role::Outer => (-distance, -2 * distance),
                Role::Inner(..) => (distance, 0),
                Role::Outside => (0, -distance),
            };
            self.price[vertex] += price;
            if let Some((_, nearest)) = &mut self.nearest[vertex] {
                *nearest += slack;
            }
        }
        for &blossom in &self.blossoms {
            let node = &mut self.nodes[blossom];
            match node.role {
                Role::Outer => node.price += 2 * distance,
                Role::Inner(..) => node.price -= 2 * distance,
                Role::Outside => {}
            }
        }
        event
    }

    /// Makes a node outer and looks at the edges of its vertices.
    fn become_outer(&mut self, node: usize) {
        self.nodes[node].role = Role::Outer;
        for vertex in self.vertices_of(node) {
            self.look_from(vertex);
        }
    }

    /// Takes a vertex that has become outer into account everywhere.
    fn look_from(&mut self, vertex: usize) {
        self.nearest[vertex] = None;
        for other in 0..self.vertices() {
            if self.top[other] == self.top[vertex] {
                continue;
            }
            let slack = self.slack(vertex, other);
            self.offer(vertex, other, slack);
            if self.role(other) == Role::Outer {
                self.offer(other, vertex, slack);
            }
        }
    }

    /// Keeps an edge from an outer vertex if it is the cheapest one yet.
    fn offer(&mut self, from: usize, to: usize, slack: i128) {
        if self.nearest[to].is_none_or(|(_, least)| slack < least) {
            self.nearest[to] = Some((from, slack));
        }
    }

    fn vertices_of(&self, node: usize) -> Vec<usize> {
        if self.nodes[node].children.is_empty() {
            return vec![node];
        }
        self.nodes[node].children.iter().flat_map(|&child| self.vertices_of(child)).collect()
    }

    /// The outer node before an outer node on the way to its root, with the inner node between them.
    fn parent(&self, node: usize) -> Option<(usize, usize)> {
        let inner = self.top[self.partner[self.nodes[node].base]?];
        match self.nodes[inner].role {
            Role::Inner(from, _) => Some((inner, self.top[from])),
            role => unreachable!("the partner of an outer node is inner, not {role:?}"),
        }
    }

    /// The outer nodes from here to the root.
    fn ancestors(&self, vertex: usize) -> Vec<usize> {
        std::iter::successors(Some(self.top[vertex]), |&node| self.parent(node).map(|(_, outer)| outer))
            .collect()
    }

    fn common_ancestor(&self, a: usize, b: usize) -> Option<usize> {
        let of_a = self.ancestors(a);
        self.ancestors(b).into_iter().find(|node| of_a.contains(node))
    }

    /// The nodes from the one of `vertex` up to an ancestor, and the edges between them, upwards.
    fn way_up(&self, vertex: usize, ancestor: usize) -> (Vec<usize>, Vec<(usize, usize)>) {
        let (mut nodes, mut links) = (vec![self.top[vertex]], Vec::new());
        let mut node = self.top[vertex];
        while node != ancestor {
            let (inner, outer) = self.parent(node).expect("the ancestor is on the way to the root");
            let base = self.nodes[node].base;
            links.push((base, self.partner[base].expect("it has a parent")));
            if let Role::Inner(from, to) = self.nodes[inner].role {
                links.push((to, from));
            }
            nodes.extend([inner, outer]);
            node = outer;
        }
        (nodes, links)
    }

    /// Makes one node of the circle that the edge between `a` and `b` closes.
    fn close_circle(&mut self, a: usize, b: usize, ancestor: usize) {
        let (mut children, mut links) = self.way_up(a, ancestor);
        let (other_children, other_links) = self.way_up(b, ancestor);
        children.reverse();
        links.reverse();
        links.iter_mut().for_each(|(low, high)| std::mem::swap(low, high));
        links.push((a, b));
        links.extend(other_links);
        children.extend(&other_children[..other_children.len() - 1]);
        let were_inner: Vec<usize> =
            children.iter().copied().filter(|&child| self.nodes[child].role != Role::Outer).collect();
        let base = self.nodes[ancestor].base;
        self.blossoms.retain(|blossom| !children.contains(blossom));
        let node = Node { children, links, base, price: 0, role: Role::Outer };
        let number = match self.free.pop() {
            Some(number) => {
                self.nodes[number] = node;
                number
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        self.blossoms.push(number);
        let members = self.vertices_of(number);
        members.iter().for_each(|&vertex| self.top[vertex] = number);
        for child in were_inner {
            self.vertices_of(child).into_iter().for_each(|vertex| self.look_from(vertex));
        }
        // Edges that now lie inside lead nowhere.
        for vertex in members {
            if self.nearest[vertex].is_some_and(|(nearest, _)| self.top[nearest] == number) {
                self.look_around(vertex);
            }
        }
    }

    /// Finds the outer vertex nearest to an outer one.
    fn look_around(&mut self, vertex: usize) {
        self.nearest[vertex] = None;
        for other in 0..self.vertices() {
            if self.top[other] != self.top[vertex] && self.role(other) == Role::Outer {
                self.offer(other, vertex, self.slack(vertex, other));
            }
        }
    }

    /// Takes an inner blossom of price 0 apart: the way through it stays in the tree, the rest leaves it.
    fn dissolve(&mut self, node: usize) {
        let Role::Inner(from, to) = self.nodes[node].role else {
            unreachable!("only inner blossoms lose their price")
        };
        let children = std::mem::take(&mut self.nodes[node].children);
        let links = std::mem::take(&mut self.nodes[node].links);
        for &child in &children {
            self.nodes[child].role = Role::Outside;
            for vertex in self.vertices_of(child) {
                self.top[vertex] = child;
            }
        }
        self.free.push(node);
        self.blossoms.retain(|&blossom| blossom != node);
        self.blossoms.extend(children.iter().filter(|&&child| !self.nodes[child].children.is_empty()));
        let size = children.len();
        let entry = children.iter().position(|&child| child == self.top[to]).expect("the edge ends inside");
        // The way to the base that begins with a matched edge.
        let forward = entry % 2 == 1;
        let (mut at, mut edge) = (entry, (from, to));
        let mut outer = Vec::new();
        loop {
            self.nodes[children[at]].role = Role::Inner(edge.0, edge.1);
            if at == 0 {
                break;
            }
            let step = |at: usize| if forward { (at + 1) % size } else { at - 1 };
            let between = step(at);
            outer.push(children[between]);
            at = step(between);
            edge = if forward { links[between] } else { (links[at].1, links[at].0) };
        }
        outer.into_iter().for_each(|child| self.become_outer(child));
    }

    /// Matches `vertex` to `partner`, and everybody on the way from there to the root anew.
    fn flip_path(&mut self, mut vertex: usize, mut partner: usize) {
        loop {
            let node = self.top[vertex];
            let above = self.parent(node).map(|(inner, _)| inner);
            self.move_base(node, vertex);
            self.partner[vertex] = Some(partner);
            let Some(inner) = above else { return };
            let Role::Inner(from, to) = self.nodes[inner].role else {
                unreachable!("above an outer node is an inner one")
            };
            self.move_base(inner, to);
            self.partner[to] = Some(from);
            (vertex, partner) = (from, to);
        }
    }

    /// Matches the inside of a node anew, so that `vertex` is left for an edge to the outside.
    fn move_base(&mut self, node: usize, vertex: usize) {
        self.nodes[node].base = vertex;
        if self.nodes[node].children.is_empty() {
            return;
        }
        let (children, links) = (self.nodes[node].children.clone(), self.nodes[node].links.clone());
        let size = children.len();
        let at = children
            .iter()
            .position(|&child| self.vertices_of(child).contains(&vertex))
            .expect("it is inside");
        self.move_base(children[at], vertex);
        // Between the new base and the old one, neighbours change partners; the others stay as they are.
        let pairs: Vec<usize> =
            if at % 2 == 0 { (0..at).step_by(2).collect() } else { (at + 1..size).step_by(2).collect() };
        for low in pairs {
            let (a, b) = links[low];
            self.move_base(children[low], a);
            self.move_base(children[(low + 1) % size], b);
            self.partner[a] = Some(b);
            self.partner[b] = Some(a);
        }
        self.nodes[node].children.rotate_left(at);
        self.nodes[node].links.rotate_left(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::Random;

    /// The least cost over all ways to pair, tried one after another.
    fn tried_out(left: &[usize], cost: &dyn Fn(usize, usize) -> i128) -> i128 {
        let Some((&first, rest)) = left.split_first() else { return 0 };
        let with = |i: usize| {
            let others: Vec<usize> = rest.iter().copied().filter(|&other| other != rest[i]).collect();
            cost(first, rest[i]) + tried_out(&others, cost)
        };
        (0..rest.len()).map(with).min().expect("somebody is left")
    }

    #[test]
    fn no_other_pairing_is_cheaper() {
        for seed in 0..3000 {
            let mut random = Random::new(seed);
            let vertices = 2 * (1 + random.below(4));
            // Few different costs make many edges tight at once, and so blossoms within blossoms.
            let kinds = [2, 3, 5, 20, 1000][random.below(5)];
            let costs: Vec<Vec<i128>> = (0..vertices)
                .map(|_| (0..vertices).map(|_| random.below(kinds) as i128 - 1).collect())
                .collect();
            let cost = |a: usize, b: usize| costs[a][b];
            let all: Vec<usize> = (0..vertices).collect();
            let least = tried_out(&all, &|a, b| cost(a.min(b), a.max(b)));
            for has_guess in [false, true] {
                let mut search = Search::new(vertices, cost);
                if has_guess {
                    search.guess();
                }
                let partner = search.finish();
                assert!(
                    (0..vertices).all(|v| partner[v] != v && partner[partner[v]] == v),
                    "seed {seed}: {partner:?}"
                );
                let found: i128 =
                    (0..vertices).filter(|&v| v < partner[v]).map(|v| cost(v, partner[v])).sum();
                assert_eq!(found, least, "seed {seed}");
            }
        }
    }
}
