//! In place of the crate of this name, whose products of complex numbers of single precision are never asked for:
//! it has megabytes of source, and takes 8 s to compile.
#![no_std]

#[path = "../../kernels.rs"]
#[macro_use]
mod kernels;

/// For x86.
pub mod x86 {
    /// Never called.
    pub mod c32 {
        never!(num_complex::Complex32, c32x1: 1 x 2, 1);
        never!(num_complex::Complex32, c32x2: 1 x 2, 2);
        never!(num_complex::Complex32, avx: 2 x 2, 4);
        never!(num_complex::Complex32, avx512: 2 x 2, 8);
    }
}

/// For ARM.
pub mod aarch64 {
    /// Never called.
    pub mod c32 {
        never!(num_complex::Complex32, neon: 4 x 4, 1);
    }
}
