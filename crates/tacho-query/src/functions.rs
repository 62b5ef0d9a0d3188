//! What SQL can say here beside what SQLite knows.

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value as SqlValue, ValueRef};
use rusqlite::{Connection, Result};
use tacho_model::Value;

use crate::aggregates::{Fit, GeometricMean, Quantile, Room, StandardDeviation};

const FLAGS: FunctionFlags = FunctionFlags::SQLITE_UTF8.union(FunctionFlags::SQLITE_DETERMINISTIC);

/// Makes our functions known to a connection.
pub(crate) fn add(connection: &Connection) -> Result<()> {
    let room = Room::default();
    connection.create_scalar_function("param", 2, FLAGS, param)?;
    connection.create_aggregate_function("median", 1, FLAGS, Quantile(room.clone()))?;
    connection.create_aggregate_function("quantile", 2, FLAGS, Quantile(room.clone()))?;
    connection.create_aggregate_function("geomean", 1, FLAGS, GeometricMean)?;
    connection.create_aggregate_function("stddev", 1, FLAGS, StandardDeviation)?;
    connection.create_aggregate_function("slope", 2, FLAGS, Fit { logarithmic: false, room: room.clone() })?;
    connection.create_aggregate_function("loglog_slope", 2, FLAGS, Fit { logarithmic: true, room })
}

/// `param(parameters, name)`: the number or the unquoted text of one parameter; NULL where there is none of that name.
fn param(context: &mut Context<'_>) -> Result<SqlValue> {
    let (ValueRef::Text(json), ValueRef::Text(name)) = (context.get_raw(0), context.get_raw(1)) else {
        return Ok(SqlValue::Null);
    };
    let parameters: std::collections::HashMap<String, String> = serde_json::from_slice(json).unwrap_or_default();
    let text = parameters.get(&*String::from_utf8_lossy(name));
    Ok(match text.map(|text| Value::of_literal(text)) {
        None => SqlValue::Null,
        Some(Value::Text(text)) => SqlValue::Text(text),
        Some(Value::Number(number)) if number.fract() == 0.0 && number.abs() < 9e15 => SqlValue::Integer(number as i64),
        Some(Value::Number(number)) => SqlValue::Real(number),
    })
}
