import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tour } from '../../../sample/09-office/demo/tour.js';
import { start, type Started } from '../../../sample/09-office/start.js';

describe('the sample 09-office', () => {
  let office: Started;

  beforeAll(async () => {
    office = await start(0);
  });

  afterAll(() => office.app.close());

  it('shows a search, a cart without a session, and another door (XTN-07) (XTN-08)', async () => {
    const lines: string[] = [];
    await tour(office.url, office.adminUrl, (line) => void lines.push(line));
    expect(lines).toEqual([
      'Listed:  search_tools, call_tool, hours',
      expect.stringMatching(/^Found: {3}yearly_travel_report, /),
      'Called:  The yearly figures of travel',
      'Cart:    {"items":["tea"]}',
      'Cart:    {"items":["tea","biscuits"]}',
      'Admin:   purge',
    ]);
  });
});
