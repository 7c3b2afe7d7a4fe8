//! What two plans differ in, so that games of one cannot be resumed by the other, or merged with its games.

use crate::record::known_of;
use crate::record::schema::Plan;

/// Rules or results may have changed since.
pub(super) const OTHER_VERSION: &str = "another version of arbiter or its rules";

/// One thing that plans may differ in, and whether two of them are the same in it.
type Aspect = (&'static str, fn(&Plan, &Plan) -> bool);

/// What two plans may differ in, the most telling first.
const ASPECTS: [Aspect; 6] = [
    ("another game or other options", |a, b| {
        (&a.game, &a.options, a.seats) == (&b.game, &b.options, b.seats)
    }),
    (OTHER_VERSION, |a, b| a.rules_version == b.rules_version),
    ("another number of games, or another schedule", |a, b| a.schedule == b.schedule),
    ("another seed", |a, b| a.seed == b.seed),
    ("other players, bot files, bot options or times", |a, b| known_of(a).players == known_of(b).players),
    ("another position, other openings or limits", |a, b| without_players(a) == without_players(b)),
];

/// What the first plan has that the second has not; nothing where both play the same.
pub(crate) fn unlike(found: &Plan, wanted: &Plan) -> Option<&'static str> {
    ASPECTS.iter().find(|(_, is_same)| !is_same(found, wanted)).map(|(what, _)| *what)
}

fn without_players(plan: &Plan) -> Plan {
    Plan { players: Vec::new(), ..plan.clone() }
}
