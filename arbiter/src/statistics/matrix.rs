//! Square symmetric matrices of the size of a tournament, and what ratings need of them.

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }

    fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.cells[row * self.size..][..self.size]
    }

    /// The lower triangle whose product with its transpose is this matrix; nothing where that is not positive definite.
    pub(super) fn cholesky(self) -> Option<Cholesky> {
        let lower = self.root(0.0);
        let mut pivots = (0..lower.size).map(|row| lower.at(row, row));
        let is_definite = pivots.all(|pivot| pivot > 0.0 && pivot.is_finite());
        is_definite.then_some(Cholesky { lower })
    }

    /// A lower triangle whose product with its transpose is this matrix, which need only be positive semidefinite: what
    /// rounding leaves of a zero is taken for zero.
    pub(super) fn semidefinite_root(self) -> Matrix {
        self.root(ZERO_PIVOT)
    }

    /// The lower triangle, column by column. A pivot that is no more than this share of what it was is taken for zero.
    fn root(mut self, zero: f64) -> Matrix {
        for column in 0..self.size {
            let whole = self.at(column, column);
            let (above, left) = self.cells.split_at_mut((column + 1) * self.size);
            let pivot_row = &mut above[column * self.size..];
            let rest = whole - dot(&pivot_row[..column], &pivot_row[..column]);
            let pivot = if rest > zero * whole { libm::sqrt(rest) } else { 0.0 };
            pivot_row[column] = pivot;
            pivot_row[column + 1..].fill(0.0);
            for row in left.chunks_exact_mut(self.size) {
                let rest = row[column] - dot(&row[..column], &pivot_row[..column]);
                row[column] = if pivot > 0.0 { rest / pivot } else { 0.0 };
            }
        }
        self
    }

    pub(super) fn transposed(&self) -> Matrix {
        let mut transposed = Matrix::zero(self.size);
        for row in 0..self.size {
            for column in 0..self.size {
                transposed.row_mut(column)[row] = self.at(row, column);
            }
        }
        transposed
    }

    /// This matrix times the transpose of another.
    pub(super) fn times_transposed(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zero(self.size);
        for row in 0..self.size {
            for column in 0..self.size {
                product.row_mut(row)[column] = dot(self.row(row), other.row(column));
            }
        }
        product
    }

    /// Takes from every row the mean of the rows of its group. Rows beyond the list of groups stay as they are.
    pub(super) fn centre(&mut self, groups: &[usize]) {
        let many = groups.iter().max().map_or(0, |last| last + 1);
        for group in 0..many {
            let members: Vec<usize> = (0..groups.len()).filter(|&row| groups[row] == group).collect();
            let mut mean = vec![0.0; self.size];
            for &row in &members {
                mean.iter_mut().zip(self.row(row)).for_each(|(sum, entry)| *sum += entry);
            }
            mean.iter_mut().for_each(|sum| *sum /= members.len() as f64);
            for &row in &members {
                self.row_mut(row).iter_mut().zip(&mean).for_each(|(entry, mean)| *entry -= mean);
            }
        }
    }

    pub(super) fn trace(&self) -> f64 {
        (0..self.size).map(|row| self.at(row, row)).sum()
    }

    /// The product with a vector.
    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| dot(self.row(row), vector)).collect()
    }

    /// vᵀ M v.
    pub(super) fn quadratic(&self, vector: &[f64]) -> f64 {
        dot(&self.times(vector), vector)
    }

    /// The rows and columns with these numbers.
    pub(super) fn part(&self, numbers: &[usize]) -> Matrix {
        let cells = numbers.iter().flat_map(|&row| numbers.iter().map(move |&column| self.at(row, column)));
        Matrix { size: numbers.len(), cells: cells.collect() }
    }

    pub(super) fn row_length(&self, row: usize) -> f64 {
        libm::sqrt(dot(self.row(row), self.row(row)))
    }

    pub(super) fn row_distance(&self, one: usize, other: usize) -> f64 {
        let difference: Vec<f64> = self.row(one).iter().zip(self.row(other)).map(|(a, b)| a - b).collect();
        libm::sqrt(dot(&difference, &difference))
    }
}

/// A pivot below this share of what it was before anything was taken from it is a zero that was rounded.
const ZERO_PIVOT: f64 = 1e-13;

/// Added up in four lanes, in an order that never depends on the machine.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 4];
    let (a, b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for lane in 0..4 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + rest
}

/// A positive definite matrix, taken apart.
pub(super) struct Cholesky {
    lower: Matrix,
}

impl Cholesky {
    /// Solves `A x = vector` for `x`.
    pub(super) fn solve(&self, vector: &[f64]) -> Vec<f64> {
        let mut x = vector.to_vec();
        for row in 0..x.len() {
            x[row] = (x[row] - dot(&self.lower.row(row)[..row], &x[..row])) / self.lower.at(row, row);
        }
        for row in (0..x.len()).rev() {
            x[row] /= self.lower.at(row, row);
            let value = x[row];
            for (entry, lower) in x[..row].iter_mut().zip(self.lower.row(row)) {
                *entry -= lower * value;
            }
        }
        x
    }

    pub(super) fn inverse(&self) -> Matrix {
        let size = self.lower.size;
        let mut inverse = Matrix::zero(size);
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                inverse.row_mut(row)[column] = value;
            }
        }
        inverse
    }
}
