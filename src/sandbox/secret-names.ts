/** What carries a secret by its name, wherever it stands: headers, a query, the members of a body. */
export const SECRET_NAMES: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'token',
  'apikey',
  'api_key',
  'password',
  'password_repeat',
  'repeatPassword',
  'passwd',
  'passwd_repeat',
];

const FOLDED = new Set(SECRET_NAMES.map((name) => name.toLowerCase()));

/** Whether a header, parameter or member of this name is masked wherever it is kept. */
export function isSecretName(name: string): boolean {
  return FOLDED.has(name.toLowerCase());
}
