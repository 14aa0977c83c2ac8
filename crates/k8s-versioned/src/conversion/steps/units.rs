//! An amount in another unit: a duration as text or as a whole number of seconds, a quantity or a whole number of bytes.

use std::marker::PhantomData;

use jiff::SignedDuration;

use super::form::MaybeAbsent;
use super::{Context, FieldLocations, FieldValue, keep_aside};
use crate::Amount;
use crate::conversion::ConversionFinding;
use crate::conversion::context::json;
use crate::values::duration_nanoseconds;
#[doc(no_inline)]
pub use crate::{Duration, IntOrString, Quantity};

/// A unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its size in nanoseconds, or in 10⁻⁹ bytes.
    size: i128,
    /// Whether texts of it are quantities.
    is_quantity: bool,
}

macro_rules! units {
    ($is_quantity:literal: $($(#[$docs:meta])* $name:ident = $size:expr;)*) => {$(
        $(#[$docs])*
        pub const $name: Unit = Unit { size: $size, is_quantity: $is_quantity };
    )*};
}

units! { false:
    /// The text of a duration, such as `1m30s`.
    DURATION = 1;
    /// Milliseconds.
    MILLISECONDS = 1_000_000;
    /// Seconds.
    SECONDS = 1_000_000_000;
    /// Minutes.
    MINUTES = 60 * SECONDS.size;
    /// Hours.
    HOURS = 60 * MINUTES.size;
    /// Days of 24 hours.
    DAYS = 24 * HOURS.size;
}

units! { true:
    /// The text of a quantity, such as `10Gi`.
    QUANTITY = 1;
    /// Bytes, or other units that a quantity counts.
    ONES = 1_000_000_000;
    /// 1000 bytes.
    KILOBYTES = 1000 * ONES.size;
    /// 1000² bytes.
    MEGABYTES = 1000 * KILOBYTES.size;
    /// 1000³ bytes.
    GIGABYTES = 1000 * MEGABYTES.size;
    /// 1024 bytes.
    KIBIBYTES = 1024 * ONES.size;
    /// 1024² bytes.
    MEBIBYTES = 1024 * KIBIBYTES.size;
    /// 1024³ bytes.
    GIBIBYTES = 1024 * MEBIBYTES.size;
}

impl Unit {
    /// The whole units of an amount: a duration is cut, and a quantity is rounded up (away from zero), as by `Seconds` and `Value` in Go.
    fn whole(self, size: i128) -> Option<i128> {
        let (whole, rest) = (size.checked_div(self.size)?, size.checked_rem(self.size)?);
        whole.checked_add(if self.is_quantity { rest.signum() } else { 0 })
    }
}

/// A value that is an amount.
pub trait Measured: Sized {
    /// The size of the amount; `None` if the value has none.
    fn size(&self, unit: Unit) -> Option<i128>;

    /// The value of an amount in whole units: a duration is cut, and a quantity is rounded up. `None` if it does not fit.
    fn of_size(size: i128, unit: Unit) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Measured for $number {
            fn size(&self, unit: Unit) -> Option<i128> {
                i128::from(*self).checked_mul(unit.size)
            }

            fn of_size(size: i128, unit: Unit) -> Option<Self> {
                unit.whole(size)?.try_into().ok()
            }
        }
    )*};
}

numbers!(i32 i64);

impl Measured for Duration {
    fn size(&self, _: Unit) -> Option<i128> {
        duration_nanoseconds(self.as_str()).map(i128::from)
    }

    fn of_size(size: i128, _: Unit) -> Option<Self> {
        i64::try_from(size).ok().map(|nanos| SignedDuration::from_nanos(nanos).into())
    }
}

/// The text of a duration or of a quantity.
impl Measured for String {
    fn size(&self, unit: Unit) -> Option<i128> {
        if unit.is_quantity {
            return Quantity::from(self.as_str()).size(unit);
        }
        duration_nanoseconds(self).map(i128::from)
    }

    fn of_size(size: i128, unit: Unit) -> Option<Self> {
        if unit.is_quantity {
            return Quantity::of_size(size, unit).map(|quantity| quantity.as_str().to_owned());
        }
        Duration::of_size(size, unit).map(|duration| duration.as_str().to_owned())
    }
}

impl Measured for Quantity {
    fn size(&self, _: Unit) -> Option<i128> {
        self.parse().ok()?.to_nanos()
    }

    fn of_size(size: i128, _: Unit) -> Option<Self> {
        let whole = i64::try_from(size.checked_div(ONES.size)?).ok()?;
        (i128::from(whole) * ONES.size == size).then(|| Self::from(Amount::from(whole)))
    }
}

/// A quantity as many schemas have it: a number or a text.
impl Measured for IntOrString {
    fn size(&self, unit: Unit) -> Option<i128> {
        Quantity::from(self.to_string()).size(unit)
    }

    fn of_size(size: i128, unit: Unit) -> Option<Self> {
        Quantity::of_size(size, unit).map(|quantity| Self::String(quantity.as_str().to_owned()))
    }
}

/// Converts an amount into another unit: into the kept value, if that still is this amount. The annotation keeps an amount that does
/// not come back, because the other unit is coarser, or because it does not fit. `around` has the path of the field in every version:
/// an absent amount of a field that the target requires is zero, which is noted there.
pub fn convert<F: MaybeAbsent<Value: Measured>, T: MaybeAbsent<Value: Measured>, P>(
    keep: FieldLocations,
    restore: FieldLocations,
    around: FieldLocations,
    value: &F,
    units: (Unit, Unit),
    context: &mut Context<'_, P>,
) -> T {
    if is_absent(around, value, context) {
        context.keep_nothing(keep, value);
        // A kept value that is not an amount was absent in the source.
        let restored = context.take_kept::<T>(restore).and_then(|kept| {
            let size = kept.get().and_then(|kept| kept.size(units.1));
            let unedited = size.and_then(|size| F::Value::of_size(size, units.0)).is_none();
            let result = context.restore(restore, kept, unedited, T::of(None), json(value));
            unedited.then_some(result)
        });
        return restored.unwrap_or_else(|| absent(around, context));
    }
    let back = |other: &T| converted::<T, F>(other, (units.1, units.0)) == *value;
    let made = converted::<F, T>(value, units);
    let result = match context.take_kept::<T>(restore) {
        Some(kept) => {
            // What is no amount was made up here, so a live amount is another one, also if it is zero.
            let amount = amount::<T, F>(&kept, (units.1, units.0));
            let unedited = amount.is_some_and(|amount| F::of(Some(amount)) == *value);
            context.restore(restore, kept, unedited, made, json(value))
        }
        None => made,
    };
    let is_amount = amount::<F, T>(value, units).is_some() || result != T::of(None);
    context.reduce(keep, value, is_amount && back(&result));
    if is_amount { result } else { absent(around, context) }
}

/// Converts an amount between versions with one unit, of which one requires it.
pub fn same<V: Clone, F: MaybeAbsent<Value = V>, T: MaybeAbsent<Value = V>, P>(
    keep: FieldLocations,
    around: FieldLocations,
    value: &F,
    context: &mut Context<'_, P>,
) -> T {
    let is_absent = is_absent(around, value, context);
    context.keep_nothing(keep, value);
    if is_absent { absent(around, context) } else { T::of(value.get().cloned()) }
}

/// Returns `true` if the source has no amount, also if a conversion has made one up.
fn is_absent<F: MaybeAbsent, P>(
    around: FieldLocations,
    value: &F,
    context: &mut Context<'_, P>,
) -> bool {
    let is_made_up = context.is_made_up(around, value, *value == F::of(None));
    is_made_up || value.get().is_none()
}

/// The result without an amount. A field that the target requires has a made-up value.
fn absent<T: MaybeAbsent, P>(around: FieldLocations, context: &mut Context<'_, P>) -> T {
    let made_up = T::of(None);
    if made_up.get().is_some() {
        context.make_up_own(around, &made_up);
    }
    made_up
}

/// The finest unit of a field, in which other versions have values of this type.
#[derive(Clone, Copy, Debug)]
pub struct Finest<V> {
    unit: Unit,
    of: PhantomData<V>,
}

impl<V> Finest<V> {
    /// This unit.
    pub const fn new(unit: Unit) -> Self {
        Self { unit, of: PhantomData }
    }
}

/// Converts an amount between two versions of which none has the finest unit: through the amount in that unit, which is kept.
pub fn through<F: MaybeAbsent<Value: Measured>, T: MaybeAbsent<Value: Measured>, V: Measured, P>(
    keep: FieldLocations,
    finest_places: FieldLocations,
    restore: FieldLocations,
    around: FieldLocations,
    value: &F,
    (from, finest, to): (Unit, Finest<V>, Unit),
    context: &mut Context<'_, P>,
) -> T
where
    Option<V>: MaybeAbsent<Value = V>,
{
    let exact: Option<V> =
        convert(keep, finest_places, around, value, (from, finest.unit), context);
    convert(finest_places, restore, around, &exact, (finest.unit, to), context)
}

/// Keeps an amount that the target lacks, in the finest unit.
pub fn keep<F: MaybeAbsent<Value: Measured>, V: Measured, P>(
    own: FieldLocations,
    finest_places: FieldLocations,
    around: FieldLocations,
    value: &F,
    (from, finest): (Unit, Finest<V>),
    context: &mut Context<'_, P>,
) where
    Option<V>: MaybeAbsent<Value = V>,
{
    let exact: Option<V> = convert(own, finest_places, around, value, (from, finest.unit), context);
    keep_aside::keep(finest_places, &exact, context);
}

/// [`keep`] of an amount in the finest unit.
pub fn keep_same<F: MaybeAbsent, P>(
    places: FieldLocations,
    around: FieldLocations,
    value: &F,
    context: &mut Context<'_, P>,
) {
    let is_absent = is_absent(around, value, context);
    context.reduce(places, value, is_absent);
}

/// Restores an amount that the source lacks. Without a kept one, an amount that the target requires is zero, which is reported.
pub fn restore<V: Measured, T: MaybeAbsent<Value: Measured>, P>(
    finest_places: FieldLocations,
    own: FieldLocations,
    around: FieldLocations,
    (finest, to): (Finest<V>, Unit),
    context: &mut Context<'_, P>,
) -> T
where
    Option<V>: MaybeAbsent<Value = V>,
{
    let exact: Option<V> = keep_aside::restore(finest_places, context);
    let is_absent = exact.is_none();
    let result = convert(finest_places, own, around, &exact, (finest.unit, to), context);
    if is_absent && result == T::of(None) {
        report_absent::<T, P>(around, context);
    }
    result
}

/// [`restore`] of an amount in the finest unit.
pub fn restore_same<T: MaybeAbsent, P>(
    places: FieldLocations,
    around: FieldLocations,
    context: &mut Context<'_, P>,
) -> T
where
    Option<T::Value>: FieldValue,
{
    match keep_aside::restore::<Option<T::Value>, P>(places, context) {
        None => {
            report_absent::<T, P>(around, context);
            absent(around, context)
        }
        exact => T::of(exact),
    }
}

/// Reports an absent amount that the target requires.
fn report_absent<T: MaybeAbsent, P>(around: FieldLocations, context: &mut Context<'_, P>) {
    if T::of(None).get().is_some() {
        context.report_target(around, ConversionFinding::InvalidInTarget);
    }
}

fn converted<F: MaybeAbsent<Value: Measured>, T: MaybeAbsent<Value: Measured>>(
    value: &F,
    (from, to): (Unit, Unit),
) -> T {
    T::of(amount::<F, T>(value, (from, to)))
}

/// The amount in another unit, if it fits.
fn amount<F: MaybeAbsent<Value: Measured>, T: MaybeAbsent<Value: Measured>>(
    value: &F,
    (from, to): (Unit, Unit),
) -> Option<T::Value> {
    T::Value::of_size(value.get()?.size(from)?, to)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::conversion::{ConversionReport, Options};

    #[test]
    fn durations_are_cut_to_whole_units() {
        let seconds = |text: &str| -> i32 { converted(&text.to_owned(), (DURATION, SECONDS)) };
        assert_eq!(seconds("1h30m"), 5400);
        assert_eq!(seconds("1.9s"), 1);
        assert_eq!(seconds("-1.9s"), -1);
        assert_eq!(seconds("soon"), 0);
        assert_eq!(seconds("200000h"), 720_000_000);
        assert_eq!(seconds("1000000h"), 0);
        let text: String = converted(&90_i64, (SECONDS, DURATION));
        assert_eq!(text, "1m30s");
        let hours: i64 = converted(&Some(7199_i32), (SECONDS, HOURS));
        assert_eq!(hours, 1);
        let days: Option<i32> = converted(&Some("36h".to_owned()), (DURATION, DAYS));
        assert_eq!(days, Some(1));
    }

    #[test]
    fn quantities_are_rounded_up() {
        let bytes: i64 = converted(&Quantity::from("10Gi"), (QUANTITY, ONES));
        assert_eq!(bytes, 10 << 30);
        let mebibytes: i32 = converted(&Quantity::from("1.5Gi"), (QUANTITY, MEBIBYTES));
        assert_eq!(mebibytes, 1536);
        let gigabytes: Option<i64> = converted(&"1500M".to_owned(), (QUANTITY, GIGABYTES));
        assert_eq!(gigabytes, Some(2));
        let ones: i64 = converted(&Quantity::from("-1500m"), (QUANTITY, ONES));
        assert_eq!(ones, -2);
        let text: String = converted(&3_i32, (KILOBYTES, QUANTITY));
        assert_eq!(text, "3k");
        let back: Quantity = converted(&3_i32, (GIBIBYTES, QUANTITY));
        assert_eq!(back.parse().unwrap().to_i64(), Some(3 << 30));
    }

    /// A value of another version that is no amount is a made-up zero in this one. A client can write a zero in a third version.
    #[test]
    fn a_live_zero_takes_the_place_of_a_value_that_is_no_amount() {
        const TEXT: FieldLocations = &[("v1beta1", "spec.t")];
        const NUMBER: FieldLocations = &[("v1", "spec.b.tSeconds")];
        const AROUND: FieldLocations = &[("v1beta1", "spec.t"), ("v1", "spec.b.tSeconds")];
        const FIELDS: &[FieldLocations] = &[TEXT, NUMBER];
        let kept = r#"{"fields":{"v1beta1":{"spec.t":"soon"}},"format":3}"#;
        let mut annotations =
            BTreeMap::from([("example.dev/k.v1beta1.spec.t".to_owned(), kept.to_owned())]);
        let (options, mut report) = (Options::<()>::default(), ConversionReport::new());
        let of_kind = ("example.dev/k", FIELDS, &[][..]);
        let versions = ("v1", "v1beta1");
        let mut context =
            Context::of_object(versions, &options, of_kind, &mut annotations, &mut report);
        let text: String = convert(NUMBER, TEXT, AROUND, &0_i32, (SECONDS, DURATION), &mut context);
        assert_eq!(text, "0s");
        assert!(
            report.to_string().contains("edited: the kept value \"soon\" is discarded"),
            "{report}"
        );
    }
}
