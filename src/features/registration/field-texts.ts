import { defineTexts } from '../../i18n/define.ts';
import { code, html } from '../../telegram/html.ts';

/** What the forms ask: the name of each answer in the summary, the question, and why an answer will not do. */
export const fieldTexts = defineTexts({
  en: {
    kind: {
      label: 'Kind',
      ask: html`Who is the new user? For a natural or a legal person I ask for their details; the short form has fewer questions.`,
      bad: html`Press one of the buttons.`,
    },
    parent: {
      label: 'Manager',
      ask: html`The manager’s user name, that is, the one of the account linked here? I do not keep it.`,
      bad: html`A user name is one word of English letters, digits and signs.`,
    },
    userName: {
      label: 'User name',
      ask: html`The new user’s name? English letters and digits.`,
      bad: html`A user name has 1 to 64 English letters and digits, nothing else.`,
    },
    mobile: {
      label: 'Mobile',
      ask: html`Their mobile number?`,
      bad: html`That is not one mobile number. Write it like ${code('09121234567')}`,
    },
    nationalCode: {
      label: 'National code',
      ask: html`Their national code? I delete your message at once.`,
      bad: html`That is not a national code: it has 10 digits, and the last one must fit the others. Check for a typo.`,
    },
    password: {
      label: 'Password',
      ask: html`A password for them? Type it (I delete your message at once), or press 🎲.`,
      bad: html`A password has 8 to 64 English letters, digits and signs, without spaces.`,
    },
    packageId: {
      label: 'Package',
      ask: html`The number of the tariff package? It is in the gateway’s panel.`,
      bad: html`The package is a number, such as ${code('14')}`,
    },
    reseller: {
      label: 'Reseller',
      ask: html`Should the new user be a reseller?`,
      bad: html`Press yes or no.`,
    },
    first_name: { label: 'First name', ask: html`First name?`, bad: html`One line of text, please.` },
    last_name: { label: 'Last name', ask: html`Last name?`, bad: html`One line of text, please.` },
    father: { label: 'Father', ask: html`Father’s name?`, bad: html`One line of text, please.` },
    gender: { label: 'Gender', ask: html`Gender?`, bad: html`Press one of the buttons.` },
    date: {
      label: 'Date of birth',
      ask: html`Date of birth, in the Jalali calendar? Like ${code('1370/01/31')}`,
      bad: html`I need a day of the Jalali calendar, like ${code('1370/01/31')}`,
    },
    shenasname: {
      label: 'Birth certificate',
      ask: html`Number of the birth certificate?`,
      bad: html`It has 1 to 10 digits.`,
    },
    email: {
      label: 'E-mail',
      ask: html`E-mail address?`,
      bad: html`That is not an e-mail address. Write it like ${code('sara@example.com')}`,
    },
    tel: { label: 'Telephone', ask: html`Telephone number?`, bad: html`It has 3 to 15 digits.` },
    fax: { label: 'Fax', ask: html`Fax number?`, bad: html`It has 3 to 15 digits.` },
    post_code: { label: 'Postal code', ask: html`Postal code?`, bad: html`It has 10 digits.` },
    addr: { label: 'Address', ask: html`Address?`, bad: html`At most 300 characters, please.` },
    referrer: {
      label: 'Referrer',
      ask: html`Referrer, that is, who sent them?`,
      bad: html`One line of text, please.`,
    },
    company: { label: 'Company', ask: html`The company’s name?`, bad: html`One line of text, please.` },
    company_reg_number: {
      label: 'Registration number',
      ask: html`The company’s registration number?`,
      bad: html`It has 1 to 20 digits.`,
    },
    company_eco_code: {
      label: 'Economic code',
      ask: html`The company’s economic code?`,
      bad: html`It has 1 to 20 digits.`,
    },
    company_melli_id: {
      label: 'National ID of the company',
      ask: html`The company’s national ID?`,
      bad: html`It has 11 digits.`,
    },
    company_type: {
      label: 'Kind of company',
      ask: html`What kind of company is it?`,
      bad: html`One line of text, please.`,
    },
  },
  fa: {
    kind: {
      label: 'نوع',
      ask: html`کاربر جدید کیست؟ برای شخص حقیقی یا حقوقی مشخصات را می‌پرسم؛ فرم کوتاه سؤال کمتری دارد.`,
      bad: html`یکی از دکمه‌ها را بزنید.`,
    },
    parent: {
      label: 'مدیر',
      ask: html`نام کاربری مدیر، یعنی همان حسابی که اینجا وصل است؟ نگهش نمی‌دارم.`,
      bad: html`نام کاربری یک کلمه از حروف، ارقام و علامت‌های انگلیسی است.`,
    },
    userName: {
      label: 'نام کاربری',
      ask: html`نام کاربری جدید؟ با حروف و ارقام انگلیسی.`,
      bad: html`نام کاربری ۱ تا ۶۴ حرف و رقم انگلیسی دارد و چیز دیگری نه.`,
    },
    mobile: {
      label: 'همراه',
      ask: html`شمارهٔ همراه او؟`,
      bad: html`این یک شمارهٔ همراه نیست. به شکل ${code('09121234567')} بنویسید.`,
    },
    nationalCode: {
      label: 'کد ملی',
      ask: html`کد ملی او؟ پیام شما همان لحظه پاک می‌شود.`,
      bad: html`این کد ملی نیست: ۱۰ رقم دارد و رقم آخر باید با بقیه بخواند. شاید رقمی جابه‌جا شده است.`,
    },
    password: {
      label: 'رمز',
      ask: html`رمزی برای او؟ بنویسید (پیام شما همان لحظه پاک می‌شود) یا 🎲 را بزنید.`,
      bad: html`رمز ۸ تا ۶۴ حرف، رقم و علامت انگلیسی دارد، بدون فاصله.`,
    },
    packageId: {
      label: 'بسته',
      ask: html`شمارهٔ بستهٔ تعرفه؟ در پنل پیامک هست.`,
      bad: html`بسته یک عدد است، مانند ${code('14')}`,
    },
    reseller: {
      label: 'نماینده',
      ask: html`کاربر جدید نمایندهٔ فروش باشد؟`,
      bad: html`بله یا خیر را بزنید.`,
    },
    first_name: { label: 'نام', ask: html`نام؟`, bad: html`یک خط متن بنویسید.` },
    last_name: { label: 'نام خانوادگی', ask: html`نام خانوادگی؟`, bad: html`یک خط متن بنویسید.` },
    father: { label: 'نام پدر', ask: html`نام پدر؟`, bad: html`یک خط متن بنویسید.` },
    gender: { label: 'جنسیت', ask: html`جنسیت؟`, bad: html`یکی از دکمه‌ها را بزنید.` },
    date: {
      label: 'تاریخ تولد',
      ask: html`تاریخ تولد؟ مانند ${code('1370/01/31')}`,
      bad: html`تاریخ را به شمسی بنویسید، مانند ${code('1370/01/31')}`,
    },
    shenasname: {
      label: 'شمارهٔ شناسنامه',
      ask: html`شمارهٔ شناسنامه؟`,
      bad: html`۱ تا ۱۰ رقم دارد.`,
    },
    email: {
      label: 'ایمیل',
      ask: html`آدرس ایمیل؟`,
      bad: html`این آدرس ایمیل نیست. به شکل ${code('sara@example.com')} بنویسید.`,
    },
    tel: { label: 'تلفن', ask: html`شمارهٔ تلفن؟`, bad: html`۳ تا ۱۵ رقم دارد.` },
    fax: { label: 'فکس', ask: html`شمارهٔ فکس؟`, bad: html`۳ تا ۱۵ رقم دارد.` },
    post_code: { label: 'کد پستی', ask: html`کد پستی؟`, bad: html`۱۰ رقم دارد.` },
    addr: { label: 'نشانی', ask: html`نشانی؟`, bad: html`بیش از ۳۰۰ کاراکتر نباشد.` },
    referrer: { label: 'معرف', ask: html`معرف؟`, bad: html`یک خط متن بنویسید.` },
    company: { label: 'شرکت', ask: html`نام شرکت؟`, bad: html`یک خط متن بنویسید.` },
    company_reg_number: {
      label: 'شمارهٔ ثبت',
      ask: html`شمارهٔ ثبت شرکت؟`,
      bad: html`۱ تا ۲۰ رقم دارد.`,
    },
    company_eco_code: { label: 'کد اقتصادی', ask: html`کد اقتصادی شرکت؟`, bad: html`۱ تا ۲۰ رقم دارد.` },
    company_melli_id: {
      label: 'شناسهٔ ملی شرکت',
      ask: html`شناسهٔ ملی شرکت؟`,
      bad: html`۱۱ رقم دارد.`,
    },
    company_type: { label: 'نوع شرکت', ask: html`نوع شرکت؟`, bad: html`یک خط متن بنویسید.` },
  },
});

export type FieldName = keyof ReturnType<typeof fieldTexts>;
