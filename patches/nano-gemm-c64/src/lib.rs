//! In place of the crate of this name, whose products of complex numbers are never asked for:
//! it has megabytes of source, and takes 8 s to compile.
#![no_std]

#[path = "../../kernels.rs"]
#[macro_use]
mod kernels;

/// For x86.
pub mod x86 {
    /// Never called.
    pub mod c64 {
        never!(num_complex::Complex64, c64x1: 1 x 2, 1);
        never!(num_complex::Complex64, avx: 2 x 2, 2);
        never!(num_complex::Complex64, avx512: 2 x 2, 4);
    }
}

/// For ARM.
pub mod aarch64 {
    /// Never called.
    pub mod c64 {
        never!(num_complex::Complex64, neon: 2 x 4, 1);
    }
}
