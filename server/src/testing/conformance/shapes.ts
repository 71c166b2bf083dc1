import type { FieldType } from './specification.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

const isString = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const FITS: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  uuid: (value) => isString(value) && UUID.test(value),
  string: isString,
  timestamp: (value) => isString(value) && UTC.test(value) && !Number.isNaN(Date.parse(value)),
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  url: (value) => isString(value) && URL.canParse(value),
  array: Array.isArray,
  strings: (value) => Array.isArray(value) && value.every(isString),
  headers: (value) => isObject(value) && Object.values(value).every(isString),
  object: isObject,
  'string or null': (value) => value === null || isString(value),
};

/** What of the fields is missing in the value or has another type; empty when it fits. */
export function misfits(value: unknown, fields: Readonly<Record<string, FieldType>>): readonly string[] {
  if (!isObject(value)) return [`no object: ${JSON.stringify(value)}`];
  return Object.entries(fields)
    .filter(([name, type]) => !(name in value) || !FITS[type](value[name]))
    .map(([name, type]) => `${name} is no ${type}: ${JSON.stringify(value[name])}`);
}
