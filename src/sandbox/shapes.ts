import { z } from 'zod';
import { didYouMean } from './nearest.ts';

/** What one shape changes, in words: for the command line, the documents, the admin interface and the page. */
type Shape = {
  readonly name: string;
  readonly does: string;
  /** The same for the page in Persian. */
  readonly fa: string;
  /** The operations that it touches. */
  readonly where: string;
  /** Who says so. */
  readonly source: string;
};

/**
 * Every shape, the one table: what answers look like where the interface is silent and a gateway in the wild may differ
 * from the plain sandbox. What each does to an answer stands in `reshape.ts`.
 */
export const SHAPES = [
  shape(
    'text-ids',
    'ids are texts of digits',
    'شناسه‌ها به‌صورت متن',
    'whatever has an id, of all versions',
    'inferred',
  ),
  shape(
    'small-ids',
    'ids made from now on have twelve digits and fit a double',
    'شناسه‌های تازه کوتاه: دوازده رقم',
    'messages, of all versions',
    'seen: public clients keep ids of more than ten digits',
  ),
  shape(
    'plain-numbers',
    'lines and mobile numbers stand without +98',
    'شماره‌ها بدون +98',
    'whatever shows one, of all versions',
    'the interface: a number may carry the prefix',
  ),
  shape(
    'text-numbers',
    'states, dates, counts and amounts are texts of digits; the statuses of the envelope stay integers',
    'وضعیت، تاریخ، تعداد و مبلغ به‌صورت متن',
    'whatever has one, of all versions',
    'inferred: the account details are such texts',
  ),
  shape(
    'number-paging',
    'the members of `current` are integers',
    'عددهای صفحه‌بندی به‌صورت عدد',
    'inboxpaged, blacklist-list',
    'inferred: the other counts are integers',
  ),
  shape(
    'grouped-rows',
    'one row for a message, with its numbers as a list and one state for all',
    'یک ردیف برای هر پیامک با فهرست شماره‌ها',
    'status, select, selectoutbox, latestoutbox of versions 4 and 3',
    'inferred: the latest message lists its numbers so',
  ),
  shape(
    'null-lists',
    'an empty list is null, and so is `current` where nothing is counted',
    'null به‌جای فهرست خالی',
    'whatever lists, of all versions',
    'inferred',
  ),
  shape(
    'entries-always',
    'what stands under `data` is the one row of `entries`',
    'همیشه entries به‌جای data',
    'whatever answers `data`, of versions 4 and 3',
    'a sibling interface',
  ),
  shape(
    'bare-rows',
    'a row is its one value: a code of status, an id of multi, a number of a phonebook',
    'فقط مقدار به‌جای ردیف',
    'status and multi of version 1, phonebook-numbers of all versions',
    'inferred: a list aligned with the ids that were asked',
  ),
  shape(
    'bare-lists',
    'a list stands by itself: under `data` on versions 4 and 3, as the `result` of version 1',
    'فهرست تنها: data یا خود result',
    'whatever lists, of all versions',
    'inferred: registering answers its code so',
  ),
  shape(
    'register-object',
    'the code of registering stands in `result.status`, not bare',
    'کد ثبت کاربر در result.status',
    'register of version 1',
    'the interface: the other results of version 1',
  ),
  shape(
    'sibling-statuses',
    'refusals have the statuses of a sibling interface: 403, 411, 412, 413, 417, 418',
    'کدهای رد مانند درگاه مشابه: ۴۰۳ تا ۴۱۸',
    'whatever refuses, of versions 4 and 3',
    'a sibling interface',
  ),
  shape(
    'code-status',
    'a code of the tables is the status of the envelope',
    'کد جدول‌ها به‌جای وضعیت پاسخ',
    'whatever refuses with a code, of all versions',
    'the interface: version 1 fails with its error code',
  ),
  shape(
    'http-status',
    'HTTP has the status of the envelope, or 400 where HTTP has no such status',
    'وضعیت HTTP همان وضعیت پاسخ',
    'whatever refuses, of all versions',
    'inferred',
  ),
] as const;

export type ShapeName = (typeof SHAPES)[number]['name'];

const NAMES = SHAPES.map(({ name }) => name);

/** Names of shapes, each once; an unknown one is refused with the nearest that there is. */
export const shapesSchema = z
  .array(
    z.enum(NAMES, {
      error: ({ input }) => `no shape ${String(input)}${didYouMean(String(input), NAMES) || known()}`,
    }),
  )
  .transform((names) => NAMES.filter((name) => names.includes(name)));

function known(): string {
  return `; known: ${NAMES.join(' ')}`;
}

function shape<Name extends string>(
  name: Name,
  does: string,
  fa: string,
  where: string,
  source: string,
): Shape & { readonly name: Name } {
  return { name, does, fa, where, source };
}
