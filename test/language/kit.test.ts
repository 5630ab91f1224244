import { credentialNames } from '../../src/telegram/error-texts.ts';
import { refusalReason, refusalText } from '../../src/telegram/refusal-texts.ts';
import { unclearTexts } from '../../src/telegram/dispatch/unclear-texts.ts';
import { keyTexts } from '../../src/telegram/secrets-in-chat/found-secret.ts';
import { kitTexts, roleName } from '../../src/telegram/texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

checkTexts('src/telegram/texts.ts', kitTexts)(
  ({ locale, format, foreign }) => ({
    needsRole: [[roleName(locale, 'operator')]],
    needsCredential: [[credentialNames(locale, ['api_key', 'username_password', 'token'])], ['']],
    instead: [['schedule']],
    unknownCommand: [['/sned']],
    leakedKey: [[foreign(NAME)]],
    leakedKeyKept: [[foreign(NAME)]],
    usedBy: [
      [foreign(NAME), format.time(new Date(0)), ''],
      [foreign(NAME), format.time(new Date(0)), format.date(new Date(0))],
      [null, format.time(new Date(0)), ''],
      [null, format.time(new Date(0)), format.date(new Date(0))],
    ],
    contactAdded: [[format.phone('989121234567')]],
    refused: [[refusalText(locale, 'insufficient_credit')], [refusalText(locale, 'unlisted')]],
    refusedPerhaps: [[refusalReason(locale, 'server_fault')]],
    unexpected: [['0a1b2c3d']],
    badNumbers: [[foreign(60)], ['']],
    badNumber: [[foreign(60)], ['']],
    badText: [
      ['too_long', 4000, 900],
      ['empty', 0, 900],
      ['lone_surrogate', 12, 900],
      ['nul', 12, 900],
    ],
    badLine: [[foreign(60)], ['']],
    noTemplate: [[foreign(32)]],
    badRange: [[foreign(60)], ['']],
    fieldsStay: [[[foreign(32)]], [['name', 'order', foreign(32), foreign(32), foreign(32)]]],
    restInFile: [[format.number(12_345)]],
    fileProblems: {
      too_wide: [[format.number(256)]],
      too_many_rows: [[format.number(20_000)]],
      too_many_cells: [[format.number(1_000_000)]],
      too_long_cell: [[format.number(32_767)]],
    },
    fileRow: [[format.number(12_345)]],
  }),
  { toasts: ['press', 'usedBy'] },
);

checkTexts(
  'src/telegram/secrets-in-chat/found-secret.ts',
  keyTexts,
)(({ foreign }) => ({ leaked: [[foreign(NAME)]], leakedKept: [[foreign(NAME)]] }));

checkTexts(
  'src/telegram/dispatch/unclear-texts.ts',
  unclearTexts,
)(({ foreign, format }) => ({
  useFile: [[foreign(60)]],
  useNumbers: [[format.number(2)]],
  useContact: [
    [foreign(60), '02188887777'],
    [foreign(60), ''],
  ],
  toAll: [[format.number(2)]],
  noMobile: [[foreign(60), '02188887777']],
  notTable: [[foreign(60)]],
  didYouMean: [['/sned', 'send']],
  slashApart: [['credit']],
  otherCharacters: [['credit']],
  sayWithSlash: [['credit']],
}));
