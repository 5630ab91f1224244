/**
 * A value for a jsonb column, to be written as `${jsonText(value)}::text::jsonb`: what the
 * server takes for jsonb the driver would write as JSON once more.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value);
}
