import { describe, expect, it } from '@jest/globals';
import { estimateTokens } from '../../../../lib/core/lint/read-catalog.js';

/** Texts with what `o200k_base` and `cl100k_base` of OpenAI count, and how far the estimate may be off. */
const COUNTED: readonly (readonly [text: string, o200k: number, cl100k: number, margin: number])[] = [
  [
    '{"name":"find_tickets","description":"Finds tickets by words of their text; gives the ten newest, with their ids. Call it before close_ticket, which needs the id.","inputSchema":{"type":"object","properties":{"words":{"type":"string","description":"What to look for, such as \\"printer jam\\""},"status":{"type":"string","enum":["open","waiting","closed"],"default":"open","description":"Tickets in another status are left out"},"createdAfter":{"type":"string","format":"date-time","description":"Leaves out tickets that are older, such as 2026-01-31T08:00:00Z"},"limit":{"type":"integer","minimum":1,"maximum":100,"default":10}},"required":["words"],"additionalProperties":false}}',
    166,
    161,
    0.1,
  ],
  [
    'Finds tickets by words of their text; gives the ten newest, with their ids. Call it before close_ticket, which needs the id. Use it whenever somebody asks about an order, an invoice or a delivery, and never to change anything.',
    50,
    50,
    0.1,
  ],
  [
    'Der Bericht nennt alle Bestellungen der letzten dreißig Tage und wird nur gebraucht, wenn der Benutzer danach fragt.',
    23,
    30,
    0.3,
  ],
  ['Возвращает список заказов за последние тридцать дней, отсортированный по дате.', 20, 29, 0.3],
  ['返回最近三十天的订单列表,按日期排序。仅在用户询问订单时使用。', 22, 24, 0.3],
  ['過去三十日間の注文を日付順に返します。利用者が注文について尋ねたときに使います。', 30, 41, 0.3],
];

describe('estimateTokens()', () => {
  it.each(COUNTED)('comes close to what tokenizers count: %s (KIT-04)', (text, o200k, cl100k, margin) => {
    const estimate = estimateTokens(text);
    for (const counted of [o200k, cl100k]) {
      expect(estimate).toBeGreaterThanOrEqual(Math.floor(counted * (1 - margin)));
      expect(estimate).toBeLessThanOrEqual(Math.ceil(counted * (1 + margin)));
    }
  });

  it('counts nothing as nothing, and a long word in time that grows with it (KIT-04)', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('a'.repeat(1_000_000))).toBeGreaterThan(100_000);
    expect(estimateTokens('}'.repeat(1_000_000))).toBe(250_000);
  });
});
