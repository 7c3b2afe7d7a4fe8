//! Where two pieces of saved data disagree, in words.

use serde::Serialize;
use serde_json::Value;

/// Disagreements named for one piece of data; one change often causes many.
const MOST: usize = 8;

/// Longest value shown.
const WIDTH: usize = 120;

/// Every place where what the file says is not what the rules give. Empty when they are equal.
pub(super) fn disagreements<T: Serialize + ?Sized>(file: &T, rules: &T) -> Vec<String> {
    let value = |data: &T| serde_json::to_value(data).expect("saved data is plain");
    let mut found = Vec::new();
    compare("", &value(file), &value(rules), &mut found);
    if found.len() > MOST {
        let more = found.len() - MOST;
        found.truncate(MOST);
        found.push(format!("and {more} more differences"));
    }
    found
}

/// What is not there is null.
fn compare(place: &str, file: &Value, rules: &Value, found: &mut Vec<String>) {
    match (file, rules) {
        (Value::Object(in_file), Value::Object(by_rules)) => {
            let only_in_file = in_file.keys().filter(|key| !by_rules.contains_key(*key));
            for key in by_rules.keys().chain(only_in_file) {
                let inner = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                compare(&inner, &file[key], &rules[key], found);
            }
        }
        (Value::Array(in_file), Value::Array(by_rules)) => {
            for index in 0..in_file.len().max(by_rules.len()) {
                compare(&format!("{place}[{index}]"), &file[index], &rules[index], found);
            }
        }
        _ if file == rules => {}
        _ => {
            found.push(format!("{place}: the file says {}, by the rules it is {}", short(file), short(rules)))
        }
    }
}

fn short(value: &Value) -> String {
    let text = if value.is_null() { "nothing".to_owned() } else { value.to_string() };
    if text.chars().count() <= WIDTH { text } else { text.chars().take(WIDTH).chain("…".chars()).collect() }
}
