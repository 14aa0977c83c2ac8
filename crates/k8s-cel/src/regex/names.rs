//! The names that Go knows between `\p{` and `}`: general categories and scripts of Unicode.

use super::class::{Item, Set};

/// General categories: the short name, the long name, and another long name if there is one.
#[rustfmt::skip]
pub(super) const CATEGORIES: [(&str, &str, &str); 38] = [
    ("C", "Other", ""), ("Cc", "Control", "cntrl"), ("Cf", "Format", ""), ("Cn", "Unassigned", ""),
    ("Co", "Private_Use", ""), ("Cs", "Surrogate", ""), ("L", "Letter", ""), ("LC", "Cased_Letter", ""),
    ("Ll", "Lowercase_Letter", ""), ("Lm", "Modifier_Letter", ""), ("Lo", "Other_Letter", ""),
    ("Lt", "Titlecase_Letter", ""), ("Lu", "Uppercase_Letter", ""), ("M", "Mark", "Combining_Mark"),
    ("Mc", "Spacing_Mark", ""), ("Me", "Enclosing_Mark", ""), ("Mn", "Nonspacing_Mark", ""), ("N", "Number", ""),
    ("Nd", "Decimal_Number", "digit"), ("Nl", "Letter_Number", ""), ("No", "Other_Number", ""),
    ("P", "Punctuation", "punct"), ("Pc", "Connector_Punctuation", ""), ("Pd", "Dash_Punctuation", ""),
    ("Pe", "Close_Punctuation", ""), ("Pf", "Final_Punctuation", ""), ("Pi", "Initial_Punctuation", ""),
    ("Po", "Other_Punctuation", ""), ("Ps", "Open_Punctuation", ""), ("S", "Symbol", ""), ("Sc", "Currency_Symbol", ""),
    ("Sk", "Modifier_Symbol", ""), ("Sm", "Math_Symbol", ""), ("So", "Other_Symbol", ""), ("Z", "Separator", ""),
    ("Zl", "Line_Separator", ""), ("Zp", "Paragraph_Separator", ""), ("Zs", "Space_Separator", ""),
];

/// Scripts, as Go 1.25 spells them.
#[rustfmt::skip]
pub(super) const SCRIPTS: [&str; 163] = [
    "Adlam", "Ahom", "Anatolian_Hieroglyphs", "Arabic", "Armenian", "Avestan", "Balinese", "Bamum", "Bassa_Vah",
    "Batak", "Bengali", "Bhaiksuki", "Bopomofo", "Brahmi", "Braille", "Buginese", "Buhid", "Canadian_Aboriginal",
    "Carian", "Caucasian_Albanian", "Chakma", "Cham", "Cherokee", "Chorasmian", "Common", "Coptic", "Cuneiform",
    "Cypriot", "Cypro_Minoan", "Cyrillic", "Deseret", "Devanagari", "Dives_Akuru", "Dogra", "Duployan",
    "Egyptian_Hieroglyphs", "Elbasan", "Elymaic", "Ethiopic", "Georgian", "Glagolitic", "Gothic", "Grantha", "Greek",
    "Gujarati", "Gunjala_Gondi", "Gurmukhi", "Han", "Hangul", "Hanifi_Rohingya", "Hanunoo", "Hatran", "Hebrew",
    "Hiragana", "Imperial_Aramaic", "Inherited", "Inscriptional_Pahlavi", "Inscriptional_Parthian", "Javanese",
    "Kaithi", "Kannada", "Katakana", "Kawi", "Kayah_Li", "Kharoshthi", "Khitan_Small_Script", "Khmer", "Khojki",
    "Khudawadi", "Lao", "Latin", "Lepcha", "Limbu", "Linear_A", "Linear_B", "Lisu", "Lycian", "Lydian", "Mahajani",
    "Makasar", "Malayalam", "Mandaic", "Manichaean", "Marchen", "Masaram_Gondi", "Medefaidrin", "Meetei_Mayek",
    "Mende_Kikakui", "Meroitic_Cursive", "Meroitic_Hieroglyphs", "Miao", "Modi", "Mongolian", "Mro", "Multani",
    "Myanmar", "Nabataean", "Nag_Mundari", "Nandinagari", "New_Tai_Lue", "Newa", "Nko", "Nushu",
    "Nyiakeng_Puachue_Hmong", "Ogham", "Ol_Chiki", "Old_Hungarian", "Old_Italic", "Old_North_Arabian", "Old_Permic",
    "Old_Persian", "Old_Sogdian", "Old_South_Arabian", "Old_Turkic", "Old_Uyghur", "Oriya", "Osage", "Osmanya",
    "Pahawh_Hmong", "Palmyrene", "Pau_Cin_Hau", "Phags_Pa", "Phoenician", "Psalter_Pahlavi", "Rejang", "Runic",
    "Samaritan", "Saurashtra", "Sharada", "Shavian", "Siddham", "SignWriting", "Sinhala", "Sogdian", "Sora_Sompeng",
    "Soyombo", "Sundanese", "Syloti_Nagri", "Syriac", "Tagalog", "Tagbanwa", "Tai_Le", "Tai_Tham", "Tai_Viet", "Takri",
    "Tamil", "Tangsa", "Tangut", "Telugu", "Thaana", "Thai", "Tibetan", "Tifinagh", "Tirhuta", "Toto", "Ugaritic",
    "Vai", "Vithkuqi", "Wancho", "Warang_Citi", "Yezidi", "Yi", "Zanabazar_Square",
];

/// The characters of a name. Go ignores case, spaces, `_` and `-` in it since 1.25; Go 1.24 and before (API servers up to
/// 1.34) know only the short names of categories, and scripts as the table spells them.
pub(super) fn unicode(name: &str, negated: bool) -> Option<Item> {
    let set = match plain(name).as_str() {
        "any" => Set::Any,
        "assigned" => return Some(Item::Group { set: Set::Category("Cn"), negated: !negated }),
        "ascii" => Set::Ranges(r"\x00-\x7F"),
        plain => category(plain).or_else(|| script(plain))?,
    };
    Some(Item::Group { set, negated })
}

fn category(wanted: &str) -> Option<Set> {
    let names = CATEGORIES.iter().find(|(short, long, other)| {
        short.eq_ignore_ascii_case(wanted)
            || plain(long) == wanted
            || (!other.is_empty() && plain(other) == wanted)
    });
    // No text contains a surrogate.
    names.map(|(short, ..)| if *short == "Cs" { Set::Nothing } else { Set::Category(short) })
}

fn script(wanted: &str) -> Option<Set> {
    SCRIPTS.iter().find(|name| plain(name) == wanted).map(|name| Set::Script(name))
}

/// The name in lower case without spaces, `_` and `-`.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).map(|c| c.to_ascii_lowercase()).collect()
}
