/** Where a card is, behind the path of its endpoint (SEP-2127). */
export const CARD_SUFFIX = '/server-card';
