/** What begins a name, and its value in quotes or as one word. */
const PAIR = /\s*([^\s=]+)=(?:"([^"]*)"|“([^”]*)”|«([^»]*)»|((?!["“«])\S*))(?=\s|$)/uy;
const MOST = 30;

/**
 * Reads `name=value name2="two words"`; `-` or nothing means none. Names are kept as they are typed: the gateway tells
 * capitals apart. Null when a piece is no pair, a name comes twice, a value is empty or too long, or there are too many.
 */
export function readValues(typed: string): Readonly<Record<string, string>> | null {
  const text = typed.trim();
  if (text === '' || text === '-') return {};
  const values = new Map<string, string>();
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    const match = PAIR.exec(text);
    if (match === null) return null;
    const [, name = ''] = match;
    const value = match[2] ?? match[3] ?? match[4] ?? match[5] ?? '';
    if (
      values.has(name) ||
      // A member of that name would be lost on the way.
      name === '__proto__' ||
      value.trim() === '' ||
      value.length > 900 ||
      name.length > 64 ||
      !`${name}${value}`.isWellFormed()
    )
      return null;
    values.set(name, value);
    if (values.size > MOST) return null;
  }
  return Object.fromEntries(values);
}
