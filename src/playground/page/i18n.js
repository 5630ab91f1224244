// @ts-check
// The page's own words in both languages: [English, Persian]. The language follows the person on screen.

/** @type {Record<string, [string, string]>} */
export const TEXTS = {
  playground: ['Playground', 'محیط آزمایشی'],
  you_are: ['You are', 'شما'],
  people: ['People', 'افراد'],
  new_person: ['New person', 'نفر جدید'],
  first_name: ['First name', 'نام'],
  last_name: ['Last name', 'نام خانوادگی'],
  username: ['Username', 'نام کاربری'],
  language: ['Language', 'زبان'],
  chats: ['Chats', 'گفتگوها'],
  new_chat: ['New chat', 'گفتگوی جدید'],
  kind: ['Kind', 'نوع'],
  group: ['Group', 'گروه'],
  supergroup: ['Supergroup', 'سوپرگروه'],
  forum: ['Forum', 'انجمن'],
  channel: ['Channel', 'کانال'],
  private: ['Private chat', 'گفتگوی خصوصی'],
  title: ['Title', 'عنوان'],
  members: ['Members', 'اعضا'],
  create: ['Create', 'ساخت'],
  cancel: ['Cancel', 'لغو'],
  close: ['Close', 'بستن'],
  ok: ['OK', 'باشه'],
  back: ['Back to chats', 'بازگشت به گفتگوها'],
  bot: ['bot', 'ربات'],
  pick_chat: ['Choose a chat to begin', 'برای شروع یک گفتگو را انتخاب کنید'],
  no_messages: ['No messages yet', 'هنوز پیامی نیست'],
  start: ['Start', 'شروع'],
  start_hint: ['Press Start to talk to the bot', 'برای گفتگو با ربات «شروع» را بزنید'],
  message: ['Message', 'پیام'],
  caption: ['Caption', 'کپشن'],
  write: ['Write a message', 'پیامی بنویسید'],
  send: ['Send', 'ارسال'],
  save: ['Save', 'ذخیره'],
  attach: ['Attach files', 'پیوست فایل'],
  remove: ['Remove', 'حذف'],
  commands: ['Commands', 'دستورها'],
  no_commands: ['The bot lists no commands here', 'ربات اینجا دستوری ندارد'],
  keyboard: ['Keyboard', 'صفحه‌کلید'],
  as_anonymous: ['Send anonymously', 'ارسال ناشناس'],
  anonymous: ['anonymous', 'ناشناس'],
  reply: ['Reply', 'پاسخ'],
  replying: ['Reply to {name}', 'پاسخ به {name}'],
  edit: ['Edit', 'ویرایش'],
  editing: ['Edit message', 'ویرایش پیام'],
  edited: ['edited', 'ویرایش‌شده'],
  drop_here: ['Drop files here', 'فایل‌ها را اینجا رها کنید'],
  download: ['Download', 'دانلود'],
  picture: ['Picture', 'تصویر'],
  open_picture: ['Open picture', 'باز کردن تصویر'],
  copy: ['Copy', 'کپی'],
  copied: ['Copied', 'کپی شد'],
  search: ['Search', 'جستجو'],
  search_here: ['Search this chat', 'جستجو در این گفتگو'],
  nothing_found: ['Nothing found', 'چیزی پیدا نشد'],
  theme: ['Light or dark', 'روشن یا تیره'],
  other_language: ['این صفحه به فارسی', 'This page in English'],
  unsupported_button: ['This page does not support this button', 'این صفحه این دکمه را پشتیبانی نمی‌کند'],
  unsupported_message: ['A message that this page cannot show', 'پیامی که این صفحه نشان نمی‌دهد'],
  disabled_button: ['This button is disabled', 'این دکمه غیرفعال است'],
  no_answer: ['The bot has not answered this press', 'ربات به این دکمه پاسخ نداد'],
  cannot_write: ['You cannot write here', 'اینجا نمی‌توانید بنویسید'],
  typing: ['{name} is typing…', '{name} در حال نوشتن…'],
  new_messages: ['New messages', 'پیام‌های جدید'],
  to_latest: ['To the latest message', 'به آخرین پیام'],
  pinned: ['Pinned', 'سنجاق‌شده'],
  topics: ['Topics', 'موضوع‌ها'],
  general: ['General', 'عمومی'],
  new_topic: ['New topic', 'موضوع جدید'],
  name: ['Name', 'نام'],
  closed: ['closed', 'بسته'],
  chat_info: ['Chat details', 'جزئیات گفتگو'],
  upgrade: ['Upgrade to supergroup', 'ارتقا به سوپرگروه'],
  status: ['Status', 'وضعیت'],
  creator: ['owner', 'مالک'],
  administrator: ['administrator', 'مدیر'],
  member: ['member', 'عضو'],
  restricted: ['restricted', 'محدود'],
  left: ['not a member', 'غیرعضو'],
  kicked: ['removed', 'اخراج‌شده'],
  blocked: ['The bot is blocked', 'ربات مسدود است'],
  block_bot: ['Block the bot', 'مسدود کردن ربات'],
  unblock_bot: ['Unblock the bot', 'رفع مسدودی ربات'],
  person_count: ['{n} members', '{n} عضو'],
  bot_calls: ['Bot calls', 'فراخوانی‌های ربات'],
  show_calls: ['Show bot calls', 'نمایش فراخوانی‌ها'],
  hide_calls: ['Hide bot calls', 'پنهان کردن فراخوانی‌ها'],
  no_calls: ['The bot has made no calls yet', 'ربات هنوز فراخوانی نکرده است'],
  filter: ['Filter', 'فیلتر'],
  show_polling: ['Show getUpdates', 'نمایش getUpdates'],
  fail_next: ['Fail the next call', 'خطا در فراخوانی بعدی'],
  method: ['Method', 'متد'],
  code: ['Code', 'کد'],
  description: ['Description', 'شرح خطا'],
  retry_after: ['Retry after (s)', 'تلاش بعد از (ثانیه)'],
  times: ['Times', 'دفعات'],
  delay: ['Delay (ms)', 'تأخیر (میلی‌ثانیه)'],
  arm: ['Set', 'تنظیم'],
  armed: ['The next {method} will fail', 'فراخوانی بعدی {method} خطا می‌دهد'],
  delayed: ['The next {method} will be slow', 'فراخوانی بعدی {method} کند می‌شود'],
  reset: ['Start over', 'شروع دوباره'],
  reset_sure: [
    'Forget every message, person and chat made here?',
    'همهٔ پیام‌ها، افراد و گفتگوهای ساخته‌شده پاک شوند؟',
  ],
  disconnected: ['Disconnected. Trying again…', 'ارتباط قطع شد. تلاش دوباره…'],
  failed: ['That did not work: {why}', 'انجام نشد: {why}'],
  choose_group: ['Add the bot to which chat?', 'ربات به کدام گفتگو اضافه شود؟'],
  no_group: ['You have no group yet', 'هنوز گروهی ندارید'],
  today: ['Today', 'امروز'],
  yesterday: ['Yesterday', 'دیروز'],
  you: ['You', 'شما'],
  spoiler: ['Show hidden text', 'نمایش متن پنهان'],
  expand: ['Show all', 'نمایش همه'],
  collapse: ['Show less', 'نمایش کمتر'],
  contact: ['Contact', 'مخاطب'],
  location: ['Location', 'موقعیت'],
  forwarded: ['Forwarded from {name}', 'فوروارد از {name}'],
  deleted_reply: ['Deleted message', 'پیام حذف‌شده'],
  s_joined: ['{who} joined', '{who} عضو شد'],
  s_added: ['{by} added {who}', '{by}، {who} را اضافه کرد'],
  s_left: ['{who} left the group', '{who} رفت'],
  s_removed: ['{by} removed {who}', '{by}، {who} را حذف کرد'],
  s_title: ['{by} changed the title to “{text}”', '{by} عنوان را به «{text}» تغییر داد'],
  s_created: ['{by} created “{text}”', '{by} «{text}» را ساخت'],
  s_created_plain: ['The chat was created', 'گفتگو ساخته شد'],
  s_migrated: ['This group became a supergroup', 'این گروه سوپرگروه شد'],
  s_migrated_from: ['Upgraded from a group', 'ارتقا یافته از گروه'],
  s_pinned: ['{by} pinned “{text}”', '{by} «{text}» را سنجاق کرد'],
  s_topic: ['{by} made the topic “{text}”', '{by} موضوع «{text}» را ساخت'],
  s_topic_edited: ['The topic is now “{text}”', 'نام موضوع به «{text}» تغییر کرد'],
  s_topic_closed: ['The topic was closed', 'موضوع بسته شد'],
  s_topic_reopened: ['The topic was reopened', 'موضوع باز شد'],
  s_other: ['Something changed in this chat', 'چیزی در این گفتگو تغییر کرد'],
};

let index = 0;

/** @param {string | undefined} languageCode */
export function setLanguage(languageCode) {
  index = languageCode?.toLowerCase().startsWith('fa') ? 1 : 0;
  document.documentElement.lang = index === 1 ? 'fa' : 'en';
  document.documentElement.dir = index === 1 ? 'rtl' : 'ltr';
}

/** The locale for dates and figures. */
export function locale() {
  return index === 1 ? 'fa-IR' : 'en-GB';
}

/**
 * A label of the page, with `{name}` places filled.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const text = TEXTS[key]?.[index] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    // First-strong isolates keep a name of the other direction from reordering the sentence.
    return value === undefined ? whole : `\u2068${value}\u2069`;
  });
}
