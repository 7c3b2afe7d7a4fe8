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

    pub(super) fn size(&self) -> usize {
        self.size
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
    pub(super) fn cholesky(mut self) -> Option<Cholesky> {
        for row in 0..self.size {
            for column in 0..=row {
                let dot = dot(&self.row(row)[..column], &self.row(column)[..column]);
                let rest = self.at(row, column) - dot;
                let value = if row == column {
                    if !(rest > 0.0 && rest.is_finite()) {
                        return None;
                    }
                    libm::sqrt(rest)
                } else {
                    rest / self.at(column, column)
                };
                self.row_mut(row)[column] = value;
            }
        }
        Some(Cholesky { lower: self })
    }

    /// This symmetric matrix times another symmetric one.
    fn times_symmetric(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zero(self.size);
        for row in 0..self.size {
            for column in 0..self.size {
                product.row_mut(row)[column] = dot(self.row(row), other.row(column));
            }
        }
        product
    }

    /// This symmetric matrix on both sides of another symmetric one.
    pub(super) fn around(&self, middle: &Matrix) -> Matrix {
        let left = self.times_symmetric(middle);
        left.times_symmetric(self)
    }

    /// M X Mᵀ, where M takes the mean away from the first `block` coordinates and leaves the others.
    pub(super) fn centred(mut self, block: usize) -> Matrix {
        for row in 0..self.size {
            take_mean_away(&mut self.row_mut(row)[..block]);
        }
        for column in 0..self.size {
            let mut entries: Vec<f64> = (0..block).map(|row| self.at(row, column)).collect();
            take_mean_away(&mut entries);
            for (row, entry) in entries.into_iter().enumerate() {
                self.row_mut(row)[column] = entry;
            }
        }
        self
    }
}

fn take_mean_away(entries: &mut [f64]) {
    let mean = entries.iter().sum::<f64>() / entries.len() as f64;
    entries.iter_mut().for_each(|entry| *entry -= mean);
}

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
    /// The vector that the matrix turns into this one.
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

    /// The inverse of the matrix.
    pub(super) fn inverse(&self) -> Matrix {
        let size = self.lower.size();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> Matrix {
        Matrix { size: rows.len(), cells: rows.concat() }
    }

    #[test]
    fn an_inverse_undoes_its_matrix() {
        let size = 9;
        let mut m = Matrix::zero(size);
        for row in 0..size {
            for column in 0..size {
                m.add(row, column, ((row * column) as f64).sin() + if row == column { 9.0 } else { 0.0 });
            }
        }
        let inverse = m.clone().cholesky().unwrap().inverse();
        let unit = m.times_symmetric(&inverse);
        for row in 0..size {
            for column in 0..size {
                let expected = f64::from(u8::from(row == column));
                assert!((unit.at(row, column) - expected).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_not_taken_apart() {
        assert!(matrix(&[&[1.0, 2.0], &[2.0, 1.0]]).cholesky().is_none());
        assert!(matrix(&[&[0.0]]).cholesky().is_none());
        assert!(matrix(&[&[f64::NAN]]).cholesky().is_none());
    }

    #[test]
    fn centring_takes_the_mean_of_a_block_away() {
        let centred = matrix(&[&[4.0, 0.0, 1.0], &[0.0, 2.0, 3.0], &[1.0, 3.0, 5.0]]).centred(2);
        assert_eq!(centred, matrix(&[&[1.5, -1.5, -1.0], &[-1.5, 1.5, 1.0], &[-1.0, 1.0, 5.0]]));
    }
}
