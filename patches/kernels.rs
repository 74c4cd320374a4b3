//! Kernels that are never called, in the shape in which `nano-gemm` asks for them.

/// What stands where the kernels of one number type and one set of instructions would stand.
macro_rules! never {
    ($number:ty, $name:ident: $high:literal x $wide:literal, $lanes:literal) => {
        /// Never called.
        pub mod $name {
            use nano_gemm_core::{MicroKernel, MicroKernelData};

            /// Registers of a block, one below the other.
            pub const MR_DIV_N: usize = $high;
            /// Columns of a block.
            pub const NR: usize = $wide;
            /// Numbers of a register.
            pub const N: usize = $lanes;

            /// One for each depth and size of a block.
            pub static MICROKERNELS: [[[MicroKernel<$number>; NR]; MR_DIV_N]; 17] =
                [[[never; NR]; MR_DIV_N]; 17];
            /// One for each count of rows in the last register.
            pub static MASKS: [(); N] = [(); N];

            fn never(
                _: &MicroKernelData<$number>,
                _: *mut $number,
                _: *const $number,
                _: *const $number,
            ) {
                unreachable!("pfcvm multiplies real numbers of double precision alone")
            }
        }
    };
}
