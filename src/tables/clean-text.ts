/** Control and non-characters, which no file of text can hold, become U+FFFD, as halves of a character do in UTF-8. */
export function cleanText(text: string): string {
  return text.replaceAll(UNWRITABLE, '\ufffd');
}

const UNWRITABLE = /[[\p{Cc}\p{Noncharacter_Code_Point}]--[\t\n\r\x7f-\x9f]]/gv;
