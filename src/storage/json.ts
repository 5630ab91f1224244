/**
 * A value for a jsonb column, to be written as `${jsonText(value)}::text::jsonb`: drizzle replaces the
 * driver's own JSON serialiser on the shared client, and text is read the same way with and without it.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value);
}
