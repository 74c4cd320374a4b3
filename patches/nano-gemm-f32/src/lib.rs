//! In place of the crate of this name, whose products of numbers of single precision are never asked for:
//! it has megabytes of source, and takes 8 s to compile.
#![no_std]

#[path = "../../kernels.rs"]
#[macro_use]
mod kernels;

/// For x86.
pub mod x86 {
    /// Never called.
    pub mod f32 {
        never!(f32, f32x1: 1 x 4, 1);
        never!(f32, f32x2: 1 x 4, 2);
        never!(f32, f32x4: 1 x 4, 4);
        never!(f32, avx: 2 x 4, 8);
        never!(f32, avx512: 2 x 4, 16);
    }
}

/// For ARM.
pub mod aarch64 {
    /// Never called.
    pub mod f32 {
        never!(f32, neon: 8 x 4, 1);
    }
}
