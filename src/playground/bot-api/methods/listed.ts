import { badRequest, forbidden, refusals, type ApiError } from '../../errors.ts';
import type { Method } from './method.ts';

/** The version of the Bot API whose methods are listed. */
export const BOT_API = '10.3';

interface Refused {
  why: string;
  error: ApiError;
  methods: readonly string[];
}

/** Methods that are answered as Telegram answers a bot to whom the thing is not given. */
const REFUSED: readonly Refused[] = [
  {
    why: 'no business account is connected to the bot',
    error: badRequest('business connection not found'),
    methods: [
      'getBusinessConnection',
      'readBusinessMessage',
      'deleteBusinessMessages',
      'setBusinessAccountName',
      'setBusinessAccountUsername',
      'setBusinessAccountBio',
      'setBusinessAccountProfilePhoto',
      'removeBusinessAccountProfilePhoto',
      'setBusinessAccountGiftSettings',
      'getBusinessAccountStarBalance',
      'transferBusinessAccountStars',
      'getBusinessAccountGifts',
      'convertGiftToStars',
      'upgradeGift',
      'transferGift',
      'postStory',
      'repostStory',
      'editStory',
      'deleteStory',
      'sendChecklist',
      'editMessageChecklist',
    ],
  },
  {
    why: 'nobody asks such a query here, so there is none of that id',
    error: badRequest(refusals.queryTooOld),
    methods: [
      'answerShippingQuery',
      'answerPreCheckoutQuery',
      'answerWebAppQuery',
      'answerGuestQuery',
      'answerChatJoinRequestQuery',
      'sendChatJoinRequestWebApp',
    ],
  },
  {
    why: 'nobody asks to join: people are put into chats',
    error: badRequest('HIDE_REQUESTER_MISSING'),
    methods: ['approveChatJoinRequest', 'declineChatJoinRequest'],
  },
  {
    why: 'there are no sticker sets',
    error: badRequest('STICKERSET_INVALID'),
    methods: [
      'getStickerSet',
      'addStickerToSet',
      'setStickerPositionInSet',
      'deleteStickerFromSet',
      'replaceStickerInSet',
      'setStickerEmojiList',
      'setStickerKeywords',
      'setStickerMaskPosition',
      'setStickerSetTitle',
      'setStickerSetThumbnail',
      'setCustomEmojiStickerSetThumbnail',
      'deleteStickerSet',
    ],
  },
  {
    why: 'only organizations verify others',
    error: forbidden('BOT_VERIFIER_FORBIDDEN'),
    methods: ['verifyUser', 'verifyChat', 'removeUserVerification', 'removeChatVerification'],
  },
];

/** Methods that Telegram has and the emulator does not, by what they would need: 404, as a name that nobody knows. */
const ABSENT: Readonly<Record<string, readonly string[]>> = {
  'payments and Stars': [
    'sendInvoice',
    'createInvoiceLink',
    'sendPaidMedia',
    'refundStarPayment',
    'editUserStarSubscription',
    'createChatSubscriptionInviteLink',
    'editChatSubscriptionInviteLink',
  ],
  gifts: ['getAvailableGifts', 'sendGift', 'giftPremiumSubscription', 'getUserGifts', 'getChatGifts'],
  games: ['sendGame', 'setGameScore', 'getGameHighScores'],
  'pictures of stickers': [
    'getCustomEmojiStickers',
    'getForumTopicIconStickers',
    'uploadStickerFile',
    'createNewStickerSet',
    'setChatStickerSet',
    'deleteChatStickerSet',
  ],
  'bots that own bots': [
    'getManagedBotToken',
    'replaceManagedBotToken',
    'getManagedBotAccessSettings',
    'setManagedBotAccessSettings',
  ],
  'Mini Apps and other clients': [
    'savePreparedInlineMessage',
    'savePreparedKeyboardButton',
    'setPassportDataErrors',
  ],
  'posts that are suggested to channels': ['approveSuggestedPost', 'declineSuggestedPost'],
  'pictures of people, bots and chats': [
    'setMyProfilePhoto',
    'removeMyProfilePhoto',
    'setChatPhoto',
    'deleteChatPhoto',
    'setUserEmojiStatus',
    'getUserPersonalChatMessages',
  ],
  'photos that move': ['sendLivePhoto'],
  'links that invite': [
    'exportChatInviteLink',
    'createChatInviteLink',
    'editChatInviteLink',
    'revokeChatInviteLink',
  ],
  'members that are chats, and tags': ['banChatSenderChat', 'unbanChatSenderChat', 'setChatMemberTag'],
};

/** The refused methods as the dispatcher takes them. */
export const refusedMethods: Readonly<Record<string, Method>> = Object.fromEntries(
  REFUSED.flatMap(({ error, methods }) =>
    methods.map((name) => [
      name,
      () => {
        throw error;
      },
    ]),
  ),
);

export interface Listed {
  name: string;
  status: 'supported' | 'refused' | 'absent';
  /** What it is answered when it is not supported. */
  answer?: string;
  why?: string;
}

/** Every method of the Bot API, by name; `supported` are those with a function of their own. */
export function listMethods(supported: readonly string[]): Listed[] {
  const listed: Listed[] = [
    ...supported.map((name) => ({ name, status: 'supported' as const })),
    ...REFUSED.flatMap(({ why, error, methods }) =>
      methods.map((name) => ({ name, status: 'refused' as const, answer: error.message, why })),
    ),
    ...Object.entries(ABSENT).flatMap(([what, methods]) =>
      methods.map((name) => ({ name, status: 'absent' as const, answer: NO_METHOD, why: `needs ${what}` })),
    ),
  ];
  return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a method that nobody knows is answered, with 404. */
export const NO_METHOD = 'Not Found: method not found';
