//! What a build of a command lacks.

use std::fmt;

/// Subcommands and options that a build lacks, because a feature is off. It displays as the error about their use.
#[derive(Clone, Copy, Debug)]
pub struct Missing {
    /// What the build cannot do, such as `use clusters`.
    pub ability: &'static str,
    /// The subcommands and options, each in backticks.
    pub parts: &'static str,
    /// The feature.
    pub feature: &'static str,
    /// The command that installs a build with the feature.
    pub install: &'static str,
}

impl Missing {
    /// The paragraph of `--help`.
    pub fn help(&self) -> String {
        let Self { parts, install, .. } = self;
        format!("Not in this build: {}. To get it: {install}", parts.replace('`', ""))
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ability, parts, feature, install } = self;
        writeln!(f, "this build cannot {ability}: the feature `{feature}` adds {parts}")?;
        write!(f, "hint: `{install}` installs one that can")
    }
}

#[cfg(test)]
mod tests {
    use super::Missing;

    /// One part or several: the sentence is the same.
    #[test]
    fn the_message_names_the_feature_and_the_command() {
        for parts in ["`check-review`", "`doctor` and `lead`"] {
            let missing =
                Missing { ability: "do it", parts, feature: "f", install: "cargo install x" };
            let expected = format!(
                "this build cannot do it: the feature `f` adds {parts}\nhint: `cargo install x` installs one that can"
            );
            assert_eq!(missing.to_string(), expected);
        }
    }
}
