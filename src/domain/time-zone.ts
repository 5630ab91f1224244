/** Whether a name, such as `Asia/Tehran`, is one of a time zone by whose clock this process can tell the time. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
