import { texts } from '../../src/features/team/texts.ts';
import { roleName } from '../../src/telegram/texts.ts';
import { checkTexts } from './check-texts.ts';
import { NAME, TITLE } from './samples.ts';

const ID = 7_123_456_789;
const LINK = 'https://t.me/PeykBot?start=j_Jx3abcDEFghiJKLmnoPQRstuVWXyz0123456789';

checkTexts(
  'src/features/team/texts.ts',
  texts,
)(({ locale, foreign, format }) => {
  const who = { id: ID, name: foreign(NAME) };
  const [operator, owner] = [roleName(locale, 'operator'), roleName(locale, 'owner')];
  const by = foreign(NAME);
  const date = format.date(new Date(0));
  return {
    badPerson: [[foreign(40)]],
    badRole: [[foreign(40)]],
    aboveOwn: [[owner]],
    personAbove: [[who, owner]],
    lastOwner: [[who]],
    same: [
      [who, operator],
      [who, null],
    ],
    given: [
      [who, operator, owner, by],
      [who, operator, null, by],
    ],
    taken: [[who, operator, by]],
    askOwner: [[who]],
    joinLink: [
      [operator, LINK, ID],
      [operator, LINK, null],
    ],
    join: [[operator]],
    joined: [[operator, foreign(TITLE)]],
    joinedChat: [[who, operator, by]],
    hasRole: [[operator, foreign(TITLE)]],
    team: [
      [foreign(TITLE), format.count(3, texts(locale).people)],
      ['', format.count(1, texts(locale).people)],
    ],
    heading: [[operator]],
    member: [
      [{ name: foreign(NAME), username: 'sara_shop', id: ID, by, date }],
      [{ name: foreign(NAME), username: null, id: ID, by: null, date }],
    ],
  };
});
