//! Fits a network to samples by gradient descent.

use arbiter_rules::Random;
use bot_engine::evaluation::state;
use bot_engine::evaluation::ultimate::cells;
use bot_engine::evaluation::ultimate::net::{
    DRAW_AT, FIRST, FIRST_AT, HIDDEN, HIDDEN_AT, NUMBERS, Net, ODDS_AT, ONE, PARTS, Part, SIGHTS, STATES,
    WORDS, WORDS_AT, parts, sights,
};

use crate::sample::Sample;

/// Positions in a batch.
const BATCH: usize = 256;
/// The learning rate at the beginning.
const STEP: f32 = 0.002;
/// How much the chance of a draw weighs beside the odds to win.
const DRAWS: f32 = 0.5;

/// Learns from random numbers on, in so many rounds through all samples but the last twentieth, on which the loss is
/// measured. `share` is the weight of the search's score; the result of the game has the rest.
pub(crate) fn fit(samples: &[Sample], share: f32, rounds: usize) -> Vec<f32> {
    let mut random = Random::new(3);
    let (known, unknown) = samples.split_at(samples.len() / 20 * 19);
    let mut learner = Learner::new(begin(&mut random), share);
    let mut order: Vec<u32> = (0..known.len() as u32).collect();
    let total = (rounds * (known.len() / BATCH)) as f32;
    let mut taken = 0.0;
    for round in 1..=rounds {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        for batch in order.chunks_exact(BATCH) {
            for &i in batch {
                learner.see(&known[i as usize].turned(random.below(8)));
            }
            learner.step(STEP * (1.0_f32 - taken / total).max(0.01));
            taken += 1.0;
        }
        let net = Net::of(&as_bytes(&learner.numbers));
        println!("round {round}: {}", Loss::of(&net, unknown, share));
    }
    learner.numbers
}

/// The numbers as integers, as the evaluation reads them.
pub(crate) fn as_bytes(numbers: &[f32]) -> [u8; 2 * NUMBERS] {
    let mut bytes = [0; 2 * NUMBERS];
    for (two, number) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(numbers) {
        *two = ((number * f32::from(ONE)).round() as i16).to_le_bytes();
    }
    bytes
}

/// The loss of a network on samples.
#[derive(Default)]
pub(crate) struct Loss {
    /// The mean cross-entropy with the results.
    result: f32,
    /// The same with what is learned: results and scores.
    target: f32,
    /// The mean square of the error in the chance of a draw.
    draw: f32,
}

impl Loss {
    pub(crate) fn of(net: &Net, samples: &[Sample], share: f32) -> Loss {
        let (mut result, mut target, mut draw) = (0.0, 0.0, 0.0);
        for sample in samples {
            let outlook = net.look(&sample.boards, sample.seat, sample.allowed);
            let chance = sigmoid(0.01 * outlook.lead as f32).clamp(0.001, 0.999);
            let loss =
                |happened: f32| f64::from(-(happened * chance.ln() + (1.0 - happened) * (1.0 - chance).ln()));
            result += loss(sample.result);
            target += loss(sample.target(share));
            draw += f64::from((0.001 * outlook.draw as f32 - sample.drawn()).powi(2));
        }
        let mean = |sum: f64| (sum / samples.len() as f64) as f32;
        Loss { result: mean(result), target: mean(target), draw: mean(draw) }
    }
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Loss { result, target, draw } = self;
        write!(f, "results {result:.4}, with scores {target:.4}, draws {draw:.4}")
    }
}

impl Sample {
    /// What is learned for the side to move: the result, mixed with a share of the search's score.
    fn target(&self, share: f32) -> f32 {
        self.result + share * (sigmoid(0.01 * f32::from(self.score)) - self.result)
    }

    fn drawn(&self) -> f32 {
        f32::from(self.result == 0.5)
    }
}

fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// Random numbers to begin with.
fn begin(random: &mut Random) -> Vec<f32> {
    let mut numbers = vec![0.0; NUMBERS];
    let mut fill = |at: usize, count: usize, start: f32, size: f32| {
        for number in &mut numbers[at..at + count] {
            *number = start + size * (random.below(20_001) as f32 / 10_000.0 - 1.0);
        }
    };
    fill(FIRST_AT, SIGHTS * FIRST, 0.0, 0.3);
    fill(FIRST_AT + SIGHTS * FIRST, FIRST, 0.3, 0.2);
    fill(WORDS_AT, FIRST * WORDS, 0.0, 0.4);
    fill(HIDDEN_AT, PARTS * WORDS * HIDDEN, 0.0, 0.15);
    fill(HIDDEN_AT + PARTS * WORDS * HIDDEN, HIDDEN, 0.4, 0.2);
    fill(ODDS_AT, HIDDEN, 0.0, 0.5);
    fill(DRAW_AT, HIDDEN, 0.0, 0.5);
    numbers
}

/// The output of a neuron, and its derivative by the sum.
fn neuron(sum: f32) -> (f32, f32) {
    let held = sum.clamp(0.0, 1.0);
    (held * held, if sum == held { 2.0 * held } else { 0.0 })
}

/// A state of a board among those of a batch.
struct Seen {
    state: usize,
    sights: Vec<usize>,
    /// The outputs of the first neurons, and their derivatives.
    neurons: [(f32, f32); FIRST],
    words: [f32; WORDS],
    /// The gradient of the loss by the words.
    slope: [f32; WORDS],
}

/// A network, and the gradient of the loss of a batch.
struct Learner {
    numbers: Vec<f32>,
    slope: Vec<f32>,
    share: f32,
    /// The states of boards in this batch, and where each is among them.
    seen: Vec<Seen>,
    places: Vec<u32>,
    adam: Adam,
}

const NOWHERE: u32 = u32::MAX;

impl Learner {
    fn new(numbers: Vec<f32>, share: f32) -> Learner {
        let slope = vec![0.0; numbers.len()];
        Learner {
            numbers,
            slope,
            share,
            seen: Vec::new(),
            places: vec![NOWHERE; STATES],
            adam: Adam::default(),
        }
    }

    /// Adds the gradient of the loss of one position.
    fn see(&mut self, sample: &Sample) {
        // Which boards matter in which parts.
        let mut used = [(0, 0); 40];
        let mut count = 0;
        let mut using = |part: Part, seen: usize| {
            used[count] = (part.index(), seen);
            count += 1;
        };
        let looked: [usize; 9] = std::array::from_fn(|board| {
            let [own, other] = [sample.seat, 1 - sample.seat].map(|side| sample.boards.taken[side][board]);
            self.look(own, other)
        });
        (0..9).for_each(|board| using(Part::Place(board), looked[board]));
        for (part, set) in parts(&sample.boards, sample.seat, sample.allowed) {
            cells(set).for_each(|board| using(part, looked[usize::from(board)]));
        }
        let used = &used[..count];

        let row = |i: usize| HIDDEN_AT + i * HIDDEN;
        let (start, free) = (row(PARTS * WORDS), row(PARTS * WORDS + 1));
        let is_free = !sample.allowed.is_power_of_two();
        let mut sums: [f32; HIDDEN] = std::array::from_fn(|j| self.numbers[start + j]);
        if is_free {
            (0..HIDDEN).for_each(|j| sums[j] += self.numbers[free + j]);
        }
        for &(part, seen) in used {
            for (word, &value) in self.seen[seen].words.iter().enumerate() {
                let weights = &self.numbers[row(part * WORDS + word)..][..HIDDEN];
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
            }
        }
        let neurons = sums.map(neuron);
        let output = |at: usize| {
            let weights = self.numbers[at..].iter().zip(&neurons);
            weights.map(|(weight, (square, _))| weight * square).sum::<f32>() + self.numbers[at + HIDDEN]
        };
        let error = sigmoid(output(ODDS_AT)) - sample.target(self.share);
        let draw = output(DRAW_AT);
        let chance = 0.5 + 0.5 * draw / (1.0 + draw.abs());
        let draw_error = DRAWS * 2.0 * (chance - sample.drawn()) * 0.5 / (1.0 + draw.abs()).powi(2);

        let mut of_sums = [0.0; HIDDEN];
        for (j, &(square, rate)) in neurons.iter().enumerate() {
            let to = error * self.numbers[ODDS_AT + j] + draw_error * self.numbers[DRAW_AT + j];
            of_sums[j] = to * rate;
            self.slope[ODDS_AT + j] += error * square;
            self.slope[DRAW_AT + j] += draw_error * square;
            self.slope[start + j] += of_sums[j];
            self.slope[free + j] += if is_free { of_sums[j] } else { 0.0 };
        }
        self.slope[ODDS_AT + HIDDEN] += error;
        self.slope[DRAW_AT + HIDDEN] += draw_error;
        for &(part, seen) in used {
            let seen = &mut self.seen[seen];
            for word in 0..WORDS {
                let at = row(part * WORDS + word);
                let weights: &[f32; HIDDEN] = self.numbers[at..][..HIDDEN].try_into().expect("it is as long");
                let slope = &mut self.slope[at..][..HIDDEN];
                let value = seen.words[word];
                slope.iter_mut().zip(&of_sums).for_each(|(slope, of)| *slope += value * of);
                seen.slope[word] += dot(weights, &of_sums);
            }
        }
    }

    /// Where a state of a board is among those of the batch; its words are made when it is first seen.
    fn look(&mut self, own: u16, other: u16) -> usize {
        let state = state(own, other);
        if self.places[state] == NOWHERE {
            self.places[state] = self.seen.len() as u32;
            let mut on = Vec::with_capacity(40);
            sights(own, other, |sight| on.push(sight));
            on.push(SIGHTS);
            let mut sums = [0.0; FIRST];
            for sight in &on {
                let weights = &self.numbers[FIRST_AT + sight * FIRST..][..FIRST];
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            }
            let neurons = sums.map(neuron);
            let mut words: [f32; WORDS] =
                self.numbers[WORDS_AT + FIRST * WORDS..][..WORDS].try_into().expect("it is as long");
            for (i, (square, _)) in neurons.iter().enumerate() {
                let weights = &self.numbers[WORDS_AT + i * WORDS..][..WORDS];
                words.iter_mut().zip(weights).for_each(|(word, weight)| *word += square * weight);
            }
            self.seen.push(Seen { state, sights: on, neurons, words, slope: [0.0; WORDS] });
        }
        self.places[state] as usize
    }

    /// Takes a step against the gradient of the batch, and clears it.
    fn step(&mut self, size: f32) {
        for seen in self.seen.drain(..) {
            self.places[seen.state] = NOWHERE;
            let mut of_sums = [0.0; FIRST];
            for (i, &(square, rate)) in seen.neurons.iter().enumerate() {
                let at = WORDS_AT + i * WORDS;
                for word in 0..WORDS {
                    self.slope[at + word] += square * seen.slope[word];
                    of_sums[i] += rate * self.numbers[at + word] * seen.slope[word];
                }
            }
            let starts = &mut self.slope[WORDS_AT + FIRST * WORDS..][..WORDS];
            starts.iter_mut().zip(&seen.slope).for_each(|(slope, of)| *slope += of);
            for sight in seen.sights {
                let slope = &mut self.slope[FIRST_AT + sight * FIRST..][..FIRST];
                slope.iter_mut().zip(&of_sums).for_each(|(slope, of)| *slope += of);
            }
        }
        self.adam.take(&mut self.numbers, &self.slope, size);
        self.slope.fill(0.0);
    }
}

/// The sum of the products, in an order that a processor can do many of at once.
fn dot(one: &[f32; HIDDEN], other: &[f32; HIDDEN]) -> f32 {
    let mut sums = [0.0; 16];
    for (one, other) in one.chunks_exact(16).zip(other.chunks_exact(16)) {
        (0..16).for_each(|i| sums[i] += one[i] * other[i]);
    }
    sums.iter().sum()
}

/// Steps against the gradient by the rule "Adam" (D. Kingma and J. Ba 2015).
#[derive(Default)]
struct Adam {
    taken: i32,
    means: Vec<[f32; 2]>,
}

impl Adam {
    fn take(&mut self, numbers: &mut [f32], slope: &[f32], size: f32) {
        self.taken += 1;
        self.means.resize(numbers.len(), [0.0; 2]);
        let begun = [0.9_f32, 0.999].map(|kept| 1.0 - kept.powi(self.taken));
        for ((number, slope), [mean, square]) in numbers.iter_mut().zip(slope).zip(&mut self.means) {
            let slope = slope / BATCH as f32;
            *mean += 0.1 * (slope - *mean);
            *square += 0.001 * (slope * slope - *square);
            *number -= size * (*mean / begun[0]) / ((*square / begun[1]).sqrt() + 1e-8);
            *number = number.clamp(-4.0, 4.0);
        }
    }
}
