//! The algebra of every method in this workspace: dense products and Cholesky factors, loops over
//! whole slices that the compiler vectorises, and the few special functions of the models.
//!
//! - [`product`] and its relatives multiply, [`Cholesky`] factors, [`eigen`] has eigenvectors; each takes a [`Work`], which says
//!   whether threads may be used and counts what was done. Bits do not depend on the threads.
//! - [`exp_of_distances`], [`moderated_all`], [`moderated_softmax`] and [`normal_tails`] work on whole
//!   slices.
//! - [`sigmoid`], [`log_sigmoid`], [`log_odds`], [`normal_upper_quantile`], [`upper_tail`],
//!   [`chi_square_at`] and [`chi_square_deviate`] work on one number.
//!
//! ```
//! use pfcvm::Matrix;
//! use pfcvm::algebra::{Cholesky, Work};
//!
//! let mut work = Work::new(false);
//! let factor = Cholesky::new(Matrix::from_rows(&[vec![4.0, 0.0], vec![2.0, 2.0]]), &mut work);
//! assert_eq!(factor.unwrap().solve(&[8.0, 4.0]), [2.0, 0.0]);
//! ```

mod exp;
mod logistic;
mod normal;
mod products;
mod softmax;
mod special;
mod vectorised;

pub(crate) use exp::{add_bells, nearest};
pub use exp::{exp_of_distances, moderated_all};
pub(crate) use logistic::{curvatures, log_likelihoods, moderated_logs, residuals};
pub use normal::normal_tails;
pub use products::{
    Cholesky, Work, add_gram, add_scaled, eigen, for_columns, outer_gram, product, product_nt,
    product_tn, times_vector, transpose_times_vector,
};
pub use softmax::{SHARED_VARIANCE, moderated_softmax};
pub(crate) use softmax::{last_largest, softmax_columns};
pub use special::{
    chi_square_at, chi_square_deviate, log_odds, log_sigmoid, normal_upper_quantile, sigmoid,
    upper_tail,
};
pub(crate) use vectorised::{add_squares, fill_parabola, fill_scaled};
