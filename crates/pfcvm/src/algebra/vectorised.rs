//! Loops over whole slices that are compiled for the processor they run on.

/// A function whose body is compiled once for every kind of processor; which one is meant is found out when it is
/// called. What it is given must live for `'a`. (A closure would do where the linker inlines it; a method can be told to
/// be inlined.)
macro_rules! vectorised {
    ($(#[$doc:meta])* $visible:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $body:block) => {
        $(#[$doc])*
        $visible fn $name<'a>($($arg: $type),*) {
            struct Loop<'a> {
                $($arg: $type),*
            }
            impl<'a> pulp::NullaryFnOnce for Loop<'a> {
                type Output = ();

                #[inline(always)]
                fn call(self) {
                    let Self { $($arg),* } = self;
                    $body
                }
            }
            pulp::Arch::new().dispatch(Loop { $($arg),* });
        }
    };
}

pub(super) use vectorised;

vectorised! {
    /// factor · sourceᵢ rootᵢ.
    pub(crate) fn fill_scaled(target: &'a mut [f64], source: &'a [f64], roots: &'a [f64], factor: f64) {
        for ((target, value), root) in target.iter_mut().zip(source).zip(roots) {
            *target = factor * value * root;
        }
    }
}

vectorised! {
    /// Adds factor · valueᵢ² to each sum.
    pub(crate) fn add_squares(sums: &'a mut [f64], values: &'a [f64], factor: f64) {
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += factor * value * value;
        }
    }
}

vectorised! {
    /// Fills d with x (2 b − x a) − c.
    pub(crate) fn fill_parabola(
        d: &'a mut [f64],
        x: &'a [f64],
        a: &'a [f64],
        b: &'a [f64],
        c: &'a [f64]
    ) {
        for ((((d, x), a), b), c) in d.iter_mut().zip(x).zip(a).zip(b).zip(c) {
            *d = x * (2.0 * b - x * a) - c;
        }
    }
}
