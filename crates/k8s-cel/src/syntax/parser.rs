//! From text to syntax tree. Macros are expanded here, as servers do, so an error in their use is an error of syntax.

use std::sync::Arc;

use crate::facts::Fact;
use crate::faults::{Fault, Faults, MOST};
use crate::since::Facts;
use crate::syntax::ast::{Call, Comprehension, Entry, Expr, Item, Kind, Literal, Macro};
use crate::syntax::lexer::{SMALLEST, Token, TokenKind, tokens};
use crate::syntax::macros::{self, Expansion, Form};
use crate::syntax::reserved::RESERVED;

/// How deep expressions nest. Servers allow 250 in the text, but more than 100 is not written by hand.
const MAX_HEIGHT: usize = 120;

/// Why a text is not a syntax tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ParseError {
    Syntax(Faults),
    /// The text may be valid, but nests deeper than we go.
    TooDeep,
}

impl From<Fault> for ParseError {
    fn from(error: Fault) -> Self {
        Self::Syntax(error.into())
    }
}

/// The most characters of an expression that servers read.
const LONGEST: usize = 100_000;

/// Parses an expression.
pub(crate) fn parse(text: &str, facts: Facts) -> Result<Expr, ParseError> {
    let characters: Vec<char> = text.chars().collect();
    let size = characters.len();
    if size > LONGEST {
        let message = "expression code point size exceeds limit";
        let message = format!("{message}: size: {size}, limit {LONGEST}");
        return Err(Fault::of_whole(message).into());
    }
    let (tokens, mut errors) = tokens(&characters);
    let mut parser = Parser { characters: &characters, tokens, next: 0, depth: 0, facts };
    let expression = parser.whole();
    match expression {
        Err(ParseError::Syntax(more)) => errors.extend(more.into_kept()),
        Ok(expression) if errors.is_empty() => return Ok(expression),
        Ok(_) => {}
        Err(ParseError::TooDeep) => return Err(ParseError::TooDeep),
    }
    errors.sort_by_key(Fault::at);
    // Servers read no further after an error more than they show.
    Err(ParseError::Syntax(errors.into_iter().take(MOST + 1).collect()))
}

type Parsed<T = Expr> = Result<T, ParseError>;

struct Parser<'t> {
    characters: &'t [char],
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    facts: Facts,
}

/// Operators of two operands by how tight they bind.
const LEVELS: [&[(&str, &str)]; 3] = [
    &[
        ("==", "_==_"),
        ("!=", "_!=_"),
        ("<", "_<_"),
        ("<=", "_<=_"),
        (">", "_>_"),
        (">=", "_>=_"),
        ("in", "@in"),
    ],
    &[("+", "_+_"), ("-", "_-_")],
    &[("*", "_*_"), ("/", "_/_"), ("%", "_%_")],
];

fn node(at: usize, kind: Kind) -> Parsed {
    let node = Expr::new(at, kind);
    if node.height > MAX_HEIGHT { Err(ParseError::TooDeep) } else { Ok(node) }
}

fn call(at: usize, function: &str, arguments: Vec<Expr>) -> Parsed {
    let call =
        Call { function: function.into(), arguments, has_receiver: false, overloads: Vec::new() };
    node(at, Kind::Call(Box::new(call)))
}

/// What an expression begins with, in the words of servers.
const STARTS: &str = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, \
                      BYTES, IDENTIFIER}";

/// Returns `true` if an expression can begin with a token.
fn is_start(token: &TokenKind) -> bool {
    match token {
        TokenKind::Literal(_) | TokenKind::Name(_) => true,
        TokenKind::Symbol(symbol) => {
            matches!(*symbol, "[" | "{" | "(" | "." | "-" | "!" | SMALLEST)
        }
        TokenKind::QuotedName | TokenKind::End => false,
    }
}

impl Parser<'_> {
    fn whole(&mut self) -> Parsed {
        let expression = self.expression()?;
        if self.peek() == &TokenKind::End {
            return Ok(expression);
        }
        let is_followed_by_end = self.peek_after().is_none_or(|next| next == &TokenKind::End);
        Err(self.unexpected(if is_followed_by_end { "extraneous" } else { "mismatched" }, "<EOF>"))
    }

    fn peek(&self) -> &TokenKind {
        self.tokens.get(self.next).map_or(&TokenKind::End, |token| &token.kind)
    }

    fn at(&self) -> usize {
        self.tokens.get(self.next).or(self.tokens.last()).map_or(0, |token| token.at)
    }

    fn take(&mut self, symbol: &str) -> Option<usize> {
        let at = self.at();
        let is_next = matches!(self.peek(), TokenKind::Symbol(own) if *own == symbol);
        is_next.then(|| {
            self.next += 1;
            at
        })
    }

    /// The token after the next one.
    fn peek_after(&self) -> Option<&TokenKind> {
        self.tokens.get(self.next + 1).map(|token| &token.kind)
    }

    fn expect(&mut self, symbol: &str) -> Parsed<usize> {
        self.expect_of(symbol, &format!("'{symbol}'"))
    }

    /// As `expect`, with the server's words for the expected tokens.
    fn expect_of(&mut self, symbol: &str, expecting: &str) -> Parsed<usize> {
        self.take(symbol).ok_or_else(|| {
            if matches!(self.peek_after(), Some(TokenKind::Symbol(next)) if *next == symbol) {
                return self.unexpected("extraneous", expecting);
            }
            let could_follow = match self.peek() {
                TokenKind::End => true,
                TokenKind::Symbol(symbol) => !is_start(self.peek()) && *symbol != ",",
                _ => false,
            };
            if could_follow && matches!(symbol, ")" | "]" | "}") {
                let message = format!("Syntax error: missing '{symbol}' at '{}'", self.shown());
                return Fault::new(self.at(), message).into();
            }
            self.unexpected("mismatched", expecting)
        })
    }

    /// The next token as it is written.
    fn shown(&self) -> String {
        match self.tokens.get(self.next) {
            Some(token) if token.kind != TokenKind::End => {
                self.characters.get(token.at..token.end).unwrap_or_default().iter().collect()
            }
            _ => "<EOF>".to_owned(),
        }
    }

    /// The error of a token: `mismatched`, or `extraneous` if the text is valid without it.
    fn unexpected(&self, how: &str, expecting: &str) -> ParseError {
        let message = format!("Syntax error: {how} input '{}' expecting {expecting}", self.shown());
        Fault::new(self.at(), message).into()
    }

    /// The error of a token after a dot that is not a name.
    fn no_name(&self) -> ParseError {
        if matches!(self.peek(), TokenKind::Literal(Literal::Bool(_) | Literal::Null)) {
            return self.unexpected("mismatched", "IDENTIFIER");
        }
        let shown = if self.peek() == &TokenKind::End { String::new() } else { self.shown() };
        let message = format!("Syntax error: no viable alternative at input '.{shown}'");
        Fault::new(self.at(), message).into()
    }

    /// The error of a name in backquotes.
    fn quoted_name(&self) -> ParseError {
        let message = if self.facts.hold(Fact::QuotedNames) {
            "unsupported syntax: '`'"
        } else {
            "Syntax error: token recognition error at: '`'"
        };
        Fault::new(self.at(), message).into()
    }

    fn expression(&mut self) -> Parsed {
        if self.depth >= MAX_HEIGHT {
            return Err(ParseError::TooDeep);
        }
        self.depth += 1;
        let condition = self.logical()?;
        let expression = if let Some(at) = self.take("?") {
            let yes = self.logical()?;
            self.expect(":")?;
            let no = self.expression()?;
            node(at, Kind::Conditional(Box::new([condition, yes, no])))
        } else {
            Ok(condition)
        };
        self.depth -= 1;
        expression
    }

    fn logical(&mut self) -> Parsed {
        let first = self.conjunction()?;
        let Some(at) = self.take("||") else { return Ok(first) };
        let mut operands = vec![first, self.conjunction()?];
        while self.take("||").is_some() {
            operands.push(self.conjunction()?);
        }
        node(at, Kind::Or(operands))
    }

    fn conjunction(&mut self) -> Parsed {
        let first = self.binary(0)?;
        let Some(at) = self.take("&&") else { return Ok(first) };
        let mut operands = vec![first, self.binary(0)?];
        while self.take("&&").is_some() {
            operands.push(self.binary(0)?);
        }
        node(at, Kind::And(operands))
    }

    fn binary(&mut self, level: usize) -> Parsed {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            let TokenKind::Symbol(symbol) = *self.peek() else { return Ok(left) };
            let Some((_, function)) = operators.iter().find(|(own, _)| *own == symbol) else {
                return Ok(left);
            };
            let at = self.at();
            self.next += 1;
            let right = self.binary(level + 1)?;
            left = call(at, function, vec![left, right])?;
        }
    }

    /// An even number of equal operators has no effect.
    fn unary(&mut self) -> Parsed {
        for (symbol, function) in [("!", "!_"), ("-", "-_")] {
            let Some(at) = self.take(symbol) else { continue };
            let mut count = 1;
            while self.take(symbol).is_some() {
                count += 1;
            }
            let is_sign = symbol == "-" && count == 1;
            if let Some(literal) = is_sign.then(|| self.negative_literal()).flatten() {
                let literal = node(at, Kind::Literal(literal))?;
                return self.members(literal);
            }
            let operand = self.primary()?;
            let operand = self.members(operand)?;
            return if count % 2 == 0 { Ok(operand) } else { call(at, function, vec![operand]) };
        }
        let operand = self.primary()?;
        self.members(operand)
    }

    fn negative_literal(&mut self) -> Option<Literal> {
        let literal = match self.peek() {
            TokenKind::Literal(Literal::Int(value)) => Literal::Int(-value),
            TokenKind::Literal(Literal::Double(value)) => Literal::Double(-value),
            TokenKind::Symbol(SMALLEST) => Literal::Int(i64::MIN),
            _ => return None,
        };
        self.next += 1;
        Some(literal)
    }

    fn members(&mut self, mut operand: Expr) -> Parsed {
        loop {
            if let Some(at) = self.take(".") {
                operand = self.member(operand, at)?;
            } else if let Some(at) = self.take("[") {
                let function = if self.take("?").is_some() { "_[?_]" } else { "_[_]" };
                let index = self.expression()?;
                self.expect("]")?;
                operand = call(at, function, vec![operand, index])?;
            } else {
                return Ok(operand);
            }
        }
    }

    fn member(&mut self, operand: Expr, at: usize) -> Parsed {
        let optional = self.take("?").is_some();
        let name = match self.peek() {
            TokenKind::Name(name) => name.clone(),
            TokenKind::QuotedName => return Err(self.quoted_name()),
            _ => return Err(self.no_name()),
        };
        self.next += 1;
        let open = self.at();
        if optional || self.take("(").is_none() {
            return node(at, Kind::Select { operand: Box::new(operand), field: name, optional });
        }
        let arguments = self.arguments(")")?;
        self.receiver_call(open, operand, &name, arguments)
    }

    /// The expressions up to a closing bracket. A comma may be before it in lists and maps only.
    fn arguments(&mut self, close: &str) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.take(close).is_some() {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if self.take(",").is_none() {
                self.expect(close)?;
                return Ok(arguments);
            }
        }
    }

    fn primary(&mut self) -> Parsed {
        let at = self.at();
        let token = self.peek().clone();
        self.next += 1;
        match token {
            TokenKind::Literal(literal) => node(at, Kind::Literal(literal)),
            TokenKind::Symbol("(") => {
                let expression = self.expression()?;
                self.expect(")")?;
                Ok(expression)
            }
            TokenKind::Symbol("[") => self.list(at),
            TokenKind::Symbol("{") => self.map(at),
            TokenKind::Symbol(".") => {
                let TokenKind::Name(name) = self.peek().clone() else {
                    return Err(self.no_name());
                };
                self.next += 1;
                self.named(at, name)
            }
            TokenKind::Name(name) => self.named(at, name),
            TokenKind::Symbol(SMALLEST) => Err(Fault::new(at, "invalid int literal").into()),
            _ => {
                self.next -= 1;
                let is_extraneous = self.peek_after().is_some_and(is_start);
                Err(self
                    .unexpected(if is_extraneous { "extraneous" } else { "mismatched" }, STARTS))
            }
        }
    }

    fn named(&mut self, at: usize, name: Arc<str>) -> Parsed {
        if RESERVED.contains(&&*name) {
            return Err(Fault::new(at, format!("reserved identifier: {name}")).into());
        }
        let open = self.at();
        if self.take("(").is_some() {
            let arguments = self.arguments(")")?;
            return global_call(open, &name, arguments);
        }
        if let Some(full) = self.message_name(&name) {
            return self.message(at, full);
        }
        node(at, Kind::Name(name))
    }

    /// The name before `{`, if only names and dots are before it.
    fn message_name(&mut self, first: &str) -> Option<Arc<str>> {
        let mut name = first.to_owned();
        let mut next = self.next;
        loop {
            match self.tokens.get(next).map(|token| &token.kind)? {
                TokenKind::Symbol("{") => {
                    self.next = next + 1;
                    return Some(name.into());
                }
                TokenKind::Symbol(".") => {}
                _ => return None,
            }
            let TokenKind::Name(part) = &self.tokens.get(next + 1)?.kind else { return None };
            name.push('.');
            name.push_str(part);
            next += 2;
        }
    }

    fn message(&mut self, at: usize, name: Arc<str>) -> Parsed {
        // Servers show the bracket.
        let at = self.tokens.get(self.next.saturating_sub(1)).map_or(at, |token| token.at);
        while self.take("}").is_none() {
            self.take("?");
            match self.peek() {
                TokenKind::Name(_) => {}
                TokenKind::QuotedName => return Err(self.quoted_name()),
                _ => return Err(self.unexpected("mismatched", "IDENTIFIER")),
            }
            self.next += 1;
            self.expect(":")?;
            self.expression()?;
            if self.take(",").is_none() {
                self.expect("}")?;
                break;
            }
        }
        node(at, Kind::Message { name })
    }

    fn list(&mut self, at: usize) -> Parsed {
        let mut items = Vec::new();
        while self.take("]").is_none() {
            let optional = self.take("?").is_some();
            items.push(Item { value: self.expression()?, optional });
            if self.take(",").is_none() {
                self.expect_of("]", "{']', ','}")?;
                break;
            }
        }
        node(at, Kind::List(items))
    }

    fn map(&mut self, at: usize) -> Parsed {
        let mut entries = Vec::new();
        while self.take("}").is_none() {
            let optional = self.take("?").is_some();
            let key = self.expression()?;
            self.expect(":")?;
            entries.push(Entry { key, value: self.expression()?, optional });
            if self.take(",").is_none() {
                self.expect_of("}", "{'}', ','}")?;
                break;
            }
        }
        node(at, Kind::Map(entries))
    }

    fn receiver_call(
        &mut self,
        at: usize,
        receiver: Expr,
        name: &str,
        arguments: Vec<Expr>,
    ) -> Parsed {
        if let Some(form) = macros::find(name, arguments.len(), self.facts) {
            return expand(at, form, receiver, arguments);
        }
        let mut all = vec![receiver];
        all.extend(arguments);
        let call = Call {
            function: name.into(),
            arguments: all,
            has_receiver: true,
            overloads: Vec::new(),
        };
        node(at, Kind::Call(Box::new(call)))
    }
}

/// A call without a receiver. `has` is a macro.
fn global_call(at: usize, name: &str, mut arguments: Vec<Expr>) -> Parsed {
    if name != "has" || arguments.len() != 1 {
        return call(at, name, arguments);
    }
    let Some(argument) = arguments.pop() else { return call(at, name, arguments) };
    let Kind::Select { operand, field, optional: false } = argument.kind else {
        return Err(Fault::new(argument.at, "invalid argument to has() macro").into());
    };
    node(at, Kind::Has { operand, field })
}

fn expand(at: usize, form: &Form, range: Expr, arguments: Vec<Expr>) -> Parsed {
    let mut arguments = arguments.into_iter();
    let first = iteration_variable(at, form, arguments.next())?;
    let second = match form.names {
        2 => Some(iteration_variable(at, form, arguments.next())?),
        _ => None,
    };
    let (filter, body) = match (arguments.next(), arguments.next()) {
        (Some(filter), Some(body)) => (Some(filter), body),
        (Some(body), None) => (None, body),
        _ => return Err(Fault::new(at, "argument must be a simple name").into()),
    };
    let kind = match form.expansion {
        Expansion::Optional { flat } => {
            Kind::OptionalMap { target: Box::new(range), name: first, result: Box::new(body), flat }
        }
        Expansion::Filter => {
            let item = node(at, Kind::Name(first.clone()))?;
            let visit = Comprehension {
                kind: Macro::List,
                range,
                first,
                second,
                filter: Some(body),
                body: item,
            };
            Kind::Comprehension(Box::new(visit))
        }
        Expansion::Visit(kind) => Kind::Comprehension(Box::new(Comprehension {
            kind,
            range,
            first,
            second,
            filter,
            body,
        })),
    };
    node(at, kind)
}

/// The name that a macro gives to the items.
fn iteration_variable(at: usize, form: &Form, argument: Option<Expr>) -> Result<Arc<str>, Fault> {
    match argument.map(|argument| (argument.at, argument.kind)) {
        Some((_, Kind::Name(name))) if &*name != "__result__" => Ok(name),
        Some((at, Kind::Name(_))) => {
            Err(Fault::new(at, "iteration variable overwrites accumulator variable"))
        }
        other => {
            let at = other.map_or(at, |(at, _)| at);
            Err(Fault::new(at, form.without_name()))
        }
    }
}
