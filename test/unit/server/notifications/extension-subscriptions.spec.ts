import { describe, expect, it } from '@jest/globals';
import {
  ExtensionSubscriptions,
  type ExtensionSubscription,
} from '../../../../lib/server/notifications/extension-subscriptions.js';
import { buildContext } from '../../support/requests.js';

const open = () => () => undefined;
const context = buildContext('subscriptions/listen');

describe('ExtensionSubscriptions', () => {
  it('grants what is granted of what was asked for, each by its own member (EXT-03)', async () => {
    const added = new ExtensionSubscriptions();
    expect(added.isEmpty).toBe(true);
    const seen: unknown[] = [];
    const first: ExtensionSubscription = {
      filter: 'first',
      grant: (asked, given) => {
        seen.push(asked, given);
        return Promise.resolve(['some']);
      },
      open,
    };
    const second: ExtensionSubscription = { filter: 'second', grant: () => undefined, open };
    const third: ExtensionSubscription = { filter: 'third', grant: () => false, open };
    for (const subscription of [first, second, third]) added.add(subscription);
    expect(added.isEmpty).toBe(false);
    const grants = await added.grant({ first: ['some', 'other'], second: 1, third: null }, context);
    expect(grants).toEqual([
      { subscription: first, granted: ['some'] },
      { subscription: third, granted: false },
    ]);
    expect(seen).toEqual([['some', 'other'], context]);
  });

  it.each([[undefined], [null], ['first'], [[]], [{}], [{ first: undefined }]])(
    'asks nobody where the filter is %j (EXT-03)',
    async (filter) => {
      const added = new ExtensionSubscriptions();
      const honor = () => {
        throw new Error('It was asked');
      };
      added.add({ filter: 'first', grant: honor, open });
      expect(await added.grant(filter, context)).toEqual([]);
    },
  );

  it('grants nothing where one cannot be asked for so (EXT-03)', async () => {
    const added = new ExtensionSubscriptions();
    added.add({ filter: 'first', grant: () => Promise.reject(new Error('not so')), open });
    await expect(added.grant({ first: 1 }, context)).rejects.toThrow('not so');
  });
});
