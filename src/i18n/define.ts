export type Locale = 'en' | 'fa';

/** One entry: a ready value, or a function that makes one from parameters. The value's type is the caller's. */
type Entry = string | number | object | ((...params: never[]) => unknown);

type Table = Readonly<Record<string, Entry>>;

/** The other language has the same keys; functions take the same parameters and make the same kind of value. */
type Translated<T extends Table> = {
  readonly [Key in keyof T]: T[Key] extends (...params: infer Params) => infer Value
    ? (...params: Params) => Widened<Value>
    : Widened<T[Key]>;
};

type Widened<Value> = Value extends string ? string : Value;

/** Gives the texts of one language. */
export type Texts<T extends Table> = (locale: Locale) => Translated<T>;

/**
 * Declares texts in both languages. English sets the keys, the parameters and what each entry makes (a string,
 * or a rich type of the caller such as escaped HTML); a key that is missing in Persian, or one too many,
 * does not compile. Use: `const texts = defineTexts({ en, fa }); texts(locale).greeting({ name })`.
 */
export function defineTexts<T extends Table>(tables: {
  readonly en: T & NoInfer<Translated<T>>;
  readonly fa: NoInfer<Translated<T>>;
}): Texts<T> {
  return (locale) => tables[locale];
}
