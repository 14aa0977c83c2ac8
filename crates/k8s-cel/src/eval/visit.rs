//! Macros that visit lists and maps.

use std::rc::Rc;

use super::budget::Meter;
use super::items::IndexedItems;
use super::member::shown;
use super::program::{Collection, Collector, Visit};
use super::run::Run;
use super::value::{Data, Dictionary, Entries, Evaluated, Fault, List, Value};
use crate::functions::lists;

/// The items that are left to visit.
pub(super) struct Range<'v> {
    of: Visited<'v>,
    /// The number of the next item or entry.
    next: usize,
    length: usize,
    /// The place of the variables, and whether there is a second one.
    place: usize,
    two: bool,
}

enum Visited<'v> {
    Items(List<'v>),
    Entries(Rc<Dictionary<'v>>),
    /// An object of the data, and the names of its members.
    Members(Data<'v>, Vec<Value<'v>>),
}

impl Range<'_> {
    pub(super) const fn is_at_end(&self) -> bool {
        self.next >= self.length
    }
}

impl<'v> Run<'v, '_> {
    /// The items that a macro visits. Puts the variables of the macro on the stack.
    pub(super) fn range(&mut self, visit: &'v Visit) -> Evaluated<Range<'v>> {
        let (length, of) = match self.value(&visit.range)? {
            Value::List(list) => (list.len(), Visited::Items(list)),
            Value::Map(map) => (map.entries.len(), Visited::Entries(map)),
            Value::Data(data) => {
                self.meter.work(data.members.len())?;
                let keys = data.keys();
                (keys.len(), Visited::Members(data, keys))
            }
            other => {
                let of = other.go_type();
                return Err(Fault::error(format!("got '{of}', expected iterable type")));
            }
        };
        let place = self.stack.push(None);
        if visit.two {
            self.stack.push(None);
        }
        Ok(Range { of, next: 0, length, place, two: visit.two })
    }

    /// Gives the variables their next values; two variables of a list are the index and the item. Returns `false` after the last.
    pub(super) fn next(&mut self, range: &mut Range<'v>) -> Evaluated<bool> {
        let Range { of, next: number, place, two, .. } = range;
        let (first, second) = (*place, *place + 1);
        match of {
            Visited::Items(list) => {
                let Some(item) = list.get(*number, self.meter) else { return Ok(false) };
                if *two {
                    self.stack.set(first, Value::Int(i64::try_from(*number).unwrap_or(i64::MAX)));
                    self.stack.set(second, item?);
                } else {
                    self.stack.set(first, item?);
                }
            }
            Visited::Entries(map) => {
                let Some((key, value)) = map.entries.get(*number) else { return Ok(false) };
                self.stack.set(first, key.clone());
                if *two {
                    self.stack.set(second, value.clone());
                }
            }
            Visited::Members(data, keys) => {
                let Some(key) = keys.get(*number) else { return Ok(false) };
                if *two {
                    let value = Value::Data(*data).find(key, self.meter)?;
                    self.stack.set(second, value.unwrap_or(Value::Null));
                }
                self.stack.set(first, key.clone());
            }
        }
        *number += 1;
        self.meter.work(1)?;
        Ok(true)
    }

    /// Removes the variables of a macro from the stack.
    pub(super) fn close(&mut self, range: &Range<'v>) {
        self.stack.truncate(range.place);
    }

    pub(super) fn collect(&mut self, collector: &'v Collector) -> Evaluated<Value<'v>> {
        let mut range = self.range(&collector.visit)?;
        let mut collected = Collected::new(collector.into);
        let result = self.collect_from(&mut range, collector, &mut collected);
        self.close(&range);
        result?;
        // The result.
        self.meter.charge(1)?;
        collected.into_value()
    }

    fn collect_from(
        &mut self,
        range: &mut Range<'v>,
        collector: &'v Collector,
        collected: &mut Collected<'v>,
    ) -> Evaluated<()> {
        while self.next(range)? {
            match collector.filter.as_ref().map(|filter| self.holds(filter)) {
                None | Some(Ok(true)) => {}
                Some(Ok(false)) => continue,
                Some(Err(fault)) if fault.is_final() => return Err(fault),
                Some(Err(fault)) => {
                    // The error of a filter replaces earlier errors.
                    collected.fault = Some(fault);
                    continue;
                }
            }
            let body = self.value(&collector.visit.body);
            if let Err(fault) = &body
                && fault.is_final()
            {
                return body.map(drop);
            }
            self.meter.charge(collector.cost)?;
            let key = || self.stack.get(range.place).cloned();
            collected.take(key, body, self.meter)?;
        }
        Ok(())
    }

    pub(super) fn sort_by(&mut self, visit: &'v Visit, cost: u64) -> Evaluated<Value<'v>> {
        let mut range = self.range(visit)?;
        let keys = self.keys(visit, cost, &mut range);
        self.close(&range);
        let keys = List::from_values(keys?);
        // The name of the list twice, and the result of the keys.
        self.meter.charge(3)?;
        self.meter.charge(lists::cost_of_sort(&keys, self.meter))?;
        let Visited::Items(list) = &range.of else { return Err(Fault::no_overload()) };
        lists::sort(list, &keys, self.meter)
    }

    /// The keys by which the items are sorted.
    fn keys(
        &mut self,
        visit: &'v Visit,
        cost: u64,
        range: &mut Range<'v>,
    ) -> Evaluated<Vec<Value<'v>>> {
        let mut keys = Vec::with_capacity(range.length);
        while self.next(range)? {
            keys.push(self.value(&visit.body)?);
            self.meter.charge(cost)?;
        }
        Ok(keys)
    }
}

/// The items or entries that a macro has collected so far.
struct Collected<'v> {
    into: Collection,
    values: Vec<Value<'v>>,
    entries: Entries<'v>,
    /// The keys of the entries, if they can repeat.
    keys: Option<IndexedItems<'v>>,
    fault: Option<Fault>,
}

impl<'v> Collected<'v> {
    const fn new(into: Collection) -> Self {
        Self { into, values: Vec::new(), entries: Vec::new(), keys: None, fault: None }
    }

    fn take(
        &mut self,
        key: impl FnOnce() -> Option<Value<'v>>,
        body: Evaluated<Value<'v>>,
        meter: &Meter,
    ) -> Evaluated<()> {
        match (self.into, body) {
            (Collection::List, Ok(value)) => self.values.push(value),
            (Collection::Map, Ok(value)) => self.entries.extend(key().map(|key| (key, value))),
            (Collection::Entries, Ok(Value::Map(map))) => {
                for (key, value) in &map.entries {
                    self.insert(key.clone(), value.clone(), meter)?;
                }
            }
            (Collection::Entries, Ok(_)) => self.fail(Fault::no_overload()),
            (_, Err(fault)) => self.fail(fault),
        }
        Ok(())
    }

    /// The first error stays.
    fn fail(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
    }

    fn insert(&mut self, key: Value<'v>, value: Value<'v>, meter: &Meter) -> Evaluated<()> {
        let keys = self.keys.get_or_insert_default();
        if keys.has(&key, meter)? {
            self.fail(Fault::error(format!("insert failed: key {} already exists", shown(&key))));
        } else {
            keys.push(key.clone());
            self.entries.push((key, value));
        }
        Ok(())
    }

    fn into_value(self) -> Evaluated<Value<'v>> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        Ok(match self.into {
            Collection::List => Value::list(self.values),
            Collection::Map | Collection::Entries => {
                Value::Map(Rc::new(Dictionary::new(self.entries)))
            }
        })
    }
}
