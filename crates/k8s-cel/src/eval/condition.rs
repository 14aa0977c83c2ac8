//! Expressions that are true or false, evaluated without making a value.

use super::program::{Condition, Plan, Quantification, Quantifier};
use super::run::Run;
use super::value::{Evaluated, Fault, List, Value};
use super::visit::Range;
use crate::cost::actual::cost;
use crate::cost::function::Cost;
use crate::functions::operators::Comparison;

impl Quantifier {
    /// What each item costs beside the body: the condition of the loop and the result so far.
    const fn cost_of_item(self) -> u64 {
        match self {
            Self::All => 3,
            Self::Any => 4,
            Self::One => 0,
        }
    }

    /// The cost of seeing that the other items do not matter.
    const fn cost_of_end(self) -> u64 {
        match self {
            Self::All => 2,
            Self::Any => 3,
            Self::One => 0,
        }
    }

    /// What the result costs: that of `exists_one` is compared with 1.
    const fn cost_of_result(self) -> u64 {
        match self {
            Self::All | Self::Any => 1,
            Self::One => 2,
        }
    }
}

/// The cost of counting an item in `exists_one`.
const COUNTING: u64 = 2;

impl<'v> Run<'v, '_> {
    /// Returns `true` if a plan holds.
    pub(super) fn holds(&mut self, plan: &'v Plan) -> Evaluated<bool> {
        if let Plan::Condition(condition) = plan {
            return self.condition(condition);
        }
        match self.value(plan)? {
            Value::Bool(holds) => Ok(holds),
            _ => Err(Fault::no_overload()),
        }
    }

    pub(super) fn condition(&mut self, condition: &'v Condition) -> Evaluated<bool> {
        match condition {
            Condition::Logical { operands, decides } => self.logical(operands, *decides),
            Condition::Not(operand) => {
                let holds = self.holds(operand);
                self.meter.charge(1)?;
                holds.map(|holds| !holds)
            }
            Condition::Compare { operator, operands, cost } => {
                self.compare(*operator, operands, *cost)
            }
            Condition::CompareInts { operator, operands, cost } => {
                self.compare_ints(*operator, operands, *cost)
            }
            Condition::InConstants { value, constants } => {
                let value = self.value(value)?;
                value.is_in(&Value::List(List::of_constants(constants)), self.meter)
            }
            Condition::Has { operand, field, cost } => {
                match self.value(operand) {
                    Ok(operand) => {
                        self.meter.charge(*cost)?;
                        self.has(&operand, field)
                    }
                    Err(fault) => {
                        // Servers do not count the variable, but the field that they look for.
                        self.meter.refund(1 - cost)?;
                        Err(fault)
                    }
                }
            }
            Condition::Quantify(quantifier) => {
                let mut range = self.range(&quantifier.visit)?;
                let result = self.quantify(quantifier, &mut range);
                self.close(&range);
                result
            }
        }
    }

    /// `&&` and `||`: an operand that decides makes errors of the others irrelevant.
    fn logical(&mut self, operands: &'v [Plan], decides: bool) -> Evaluated<bool> {
        let mut fault = None;
        for operand in operands {
            self.meter.work(1)?;
            match self.holds(operand) {
                Ok(holds) if holds == decides => return Ok(decides),
                Ok(_) => {}
                Err(error) if error.is_final() => return Err(error),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        fault.map_or(Ok(!decides), Err)
    }

    fn compare(
        &mut self,
        operator: Comparison,
        operands: &'v [Plan; 2],
        of: Cost,
    ) -> Evaluated<bool> {
        let operands = self.operands(operands, of)?;
        self.compare_values(operator, &operands, of)
    }

    /// Compares values, and spends what that costs. A comparison that fails costs as much.
    pub(super) fn compare_values(
        &self,
        operator: Comparison,
        operands: &[Value<'v>; 2],
        of: Cost,
    ) -> Evaluated<bool> {
        let [left, right] = operands;
        let holds = operator.holds(left, right, self.meter);
        self.meter.charge(cost(of, operands, &Value::Null, self.meter)?)?;
        holds
    }

    /// Evaluates the items until the others do not matter.
    fn quantify(
        &mut self,
        quantification: &'v Quantification,
        range: &mut Range<'v>,
    ) -> Evaluated<bool> {
        let Quantification { quantifier, visit } = quantification;
        let (mut count, mut fault) = (0_usize, None);
        while self.next(range)? {
            self.meter.charge(quantifier.cost_of_item())?;
            match (quantifier, self.holds(&visit.body)) {
                (Quantifier::All, Ok(false)) | (Quantifier::Any, Ok(true)) => {
                    if !range.is_at_end() {
                        self.meter.charge(quantifier.cost_of_end())?;
                    }
                    self.meter.charge(quantifier.cost_of_result())?;
                    return Ok(*quantifier == Quantifier::Any);
                }
                (Quantifier::One, Ok(true)) => {
                    self.meter.charge(COUNTING)?;
                    count += 1;
                }
                (_, Ok(_)) => {}
                (_, Err(error)) if error.is_final() => return Err(error),
                // The first error stays, except in `exists_one`: there the last one does.
                (Quantifier::One, Err(error)) => fault = Some(error),
                (_, Err(error)) => fault = fault.or(Some(error)),
            }
        }
        self.meter.charge(quantifier.cost_of_result())?;
        match (fault, quantifier) {
            (Some(fault), _) => Err(fault),
            (None, Quantifier::All) => Ok(true),
            (None, Quantifier::Any) => Ok(false),
            (None, Quantifier::One) => Ok(count == 1),
        }
    }
}
