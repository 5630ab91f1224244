import { changeTexts } from '../../src/features/phonebook/change-texts.ts';
import { texts } from '../../src/features/phonebook/texts.ts';
import { refusalText } from '../../src/telegram/refusal-texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME } from './samples.ts';

checkTexts(
  'src/features/phonebook/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const count = format.count(1204, texts(locale).numbers);
  const title = foreign(200);
  return {
    bookList: [[format.count(3, texts(locale).books)]],
    bookItem: [[title, count]],
    bookButton: [[title, count]],
    make: [[foreign(40)]],
    book: [[title, count]],
    page: [[['0912 123 4567', '0935 111 2233']]],
    exported: [[title, count]],
    askNumbers: [[title]],
    askNumbersOut: [[title]],
    badNumbers: [[foreign(4000)], ['']],
    noSuchBook: [[title]],
    nearBooks: [[title]],
  };
});

checkTexts(
  'src/features/phonebook/change-texts.ts',
  changeTexts,
)(({ locale, foreign, format }) => {
  const count = format.count(1204, changeTexts(locale).numbers);
  const title = foreign(200);
  const by = foreign(NAME);
  return {
    newBook: [[title]],
    make: [[foreign(40)]],
    book: [[title, count]],
    toCreate: [[count]],
    toAdd: [[count]],
    toRemove: [[count]],
    already: [[count]],
    notThere: [[count]],
    repeated: [[count]],
    invalid: [[count]],
    invalidItem: [[foreign(200), changeTexts(locale).why('too_short')]],
    more: [[format.number(12)]],
    why: [['too_short'], ['too_long'], ['not_mobile'], ['not_a_number'], ['empty'], ['repeated']],
    create: [[count]],
    add: [[count]],
    remove: [[count]],
    cancelled: [[title]],
    taken: [[title]],
    working: { create: [[title]], add: [[title]], remove: [[title]], delete: [[title]] },
    soFarIn: [[format.number(1000), format.number(1204)]],
    soFarOut: [[format.number(1000), format.number(1204)]],
    done: {
      create: [[title, count, count, by]],
      add: [[title, count, format.number(412), by]],
      remove: [[title, count, format.number(412), by]],
    },
    doneUnread: {
      create: [[title, count, by]],
      add: [[title, format.number(412), by]],
      remove: [[title, format.number(412), by]],
    },
    stopped: { create: [[title]], add: [[title]], remove: [[title]] },
    areIn: [[count]],
    areOut: [[count]],
    notIn: [[count]],
    stillIn: [[count]],
    notKnownIn: [[count]],
    notKnownOut: [[count]],
    notMade: [[title]],
    maybeMade: [[title]],
    madeUnseen: [[title, count]],
    deleted: [[title, count, by]],
    seenDeleted: [[title, count]],
    wasGone: [[title]],
    notDeleted: [[title]],
    maybeStillThere: [[title, count]],
    maybeDeleted: [[title]],
    refused: [[refusalText(locale, 'phonebook_exists')]],
    beforeDeleting: [[title, count]],
    askTitle: [[title]],
    wrongTitle: [[title], ['']],
  };
});
