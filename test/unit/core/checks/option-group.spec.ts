import { describe, expect, it } from '@jest/globals';
import { flag, nonEmptyString, positive, required } from '../../../../lib/core/checks/option-checks.js';
import { nested, optionGroup, switchable } from '../../../../lib/core/checks/option-group.js';

interface LampOptions {
  readonly color: string;
  readonly watts?: number;
  readonly isDimmed?: boolean;
  readonly name?: string;
}

interface RoomOptions {
  readonly lamp?: Partial<LampOptions>;
  readonly heating?: boolean | { readonly degrees?: number };
  readonly tenants?: readonly string[];
}

interface LampContext {
  readonly isNight: boolean;
}

const LAMP = optionGroup<LampOptions, 'name', LampContext>(
  {
    color: required(nonEmptyString, '"white"'),
    watts: [positive, 40],
    isDimmed: [flag, ({ watts }, { isNight }) => isNight && watts > 20],
    name: nonEmptyString,
  },
  {
    together: (option, { color, name }) => {
      if (color === name) throw new Error(`${option} is named like its color`);
    },
    aliases: new Map([['colour', 'color']]),
  },
);

const HEATING = optionGroup<{ readonly degrees?: number }>({ degrees: [positive, 20] });

const ROOM = optionGroup<RoomOptions, 'lamp' | 'tenants'>({
  lamp: nested((option, value) => LAMP.check(option, { color: 'white', ...(value as object) }), LAMP),
  heating: [switchable(HEATING), false],
  tenants: () => undefined,
});

const DAY = { isNight: false };
const NIGHT = { isNight: true };

describe('optionGroup', () => {
  it('fills in what was left out', () => {
    expect(LAMP.build({ color: 'red' }, DAY)).toEqual({ color: 'red', watts: 40, isDimmed: false });
  });

  it('takes "undefined" for left out, since applications read their environment', () => {
    const given = { color: 'red', watts: undefined, name: undefined } as unknown as LampOptions;
    expect(LAMP.build(given, DAY)).toEqual({ color: 'red', watts: 40, isDimmed: false });
  });

  it('keeps what was given, also false, zero and an empty text', () => {
    const given = { color: '', watts: 0, isDimmed: false, name: '' };
    expect(LAMP.build(given, NIGHT)).toEqual(given);
  });

  it('derives a default from the rows above, and from what else it is given', () => {
    expect(LAMP.build({ color: 'red' }, NIGHT).isDimmed).toBe(true);
    expect(LAMP.build({ color: 'red', watts: 10 }, NIGHT).isDimmed).toBe(false);
  });

  it('fills nothing in but its own options', () => {
    const given = { color: 'red', other: 1 } as LampOptions;
    expect(LAMP.build(given, DAY)).not.toHaveProperty('other');
  });

  it('leaves a group in it as it was given', () => {
    const group = optionGroup<{ readonly heating?: { readonly degrees?: number } }>({
      heating: [HEATING, {}],
    });
    expect(group.build(undefined)).toEqual({ heating: {} });
    expect(group.build({ heating: { degrees: 5 } })).toEqual({ heating: { degrees: 5 } });
  });

  it('leaves a switch off by default, and an option without a default absent', () => {
    expect(ROOM.build({})).toEqual({ heating: false });
  });

  it('checks each option by its row, and names the first that is wrong (MOD-11)', () => {
    expect(() => LAMP.check('lamp', { color: 'red', watts: 0, name: '' })).toThrow(
      '"lamp.watts" must be a whole number greater than 0',
    );
    expect(() => LAMP.check('lamp', {})).toThrow(
      '"lamp.color" is required: set it to a value such as "white"',
    );
    expect(() => LAMP.check('lamp', { color: 'red' })).not.toThrow();
  });

  it('says what was meant by an unknown option (MOD-11)', () => {
    expect(() => LAMP.check('lamp', { color: 'red', wats: 3 })).toThrow('(did you mean "lamp.watts"?)');
    expect(() => LAMP.check('lamp', { colour: 'red' })).toThrow('(did you mean "lamp.color"?)');
  });

  it('checks what must fit after each option alone', () => {
    expect(() => LAMP.check('lamp', { color: 'red', name: 'red' })).toThrow('lamp is named like its color');
    expect(() => LAMP.check('lamp', { color: 'red', name: 'red', watts: -1 })).toThrow('"lamp.watts"');
  });

  it('checks a group in a group, and a switch (MOD-11)', () => {
    expect(() => ROOM.check('', { lamp: { watts: 0 } })).toThrow('"lamp.watts"');
    expect(() => ROOM.check('', { heating: { degrees: 0 } })).toThrow('"heating.degrees"');
    expect(() => ROOM.check('', { heating: 'warm' })).toThrow('"heating" must be an object with degrees');
    expect(() => ROOM.check('', { heating: true })).not.toThrow();
  });

  it('does not compile without a row, with a row of no option, or with a default of another type', () => {
    interface Options {
      readonly watts?: number;
      readonly act?: () => void;
    }
    const act = [positive, () => () => undefined] as const;
    // @ts-expect-error: a row is missing
    optionGroup<Options>({ watts: [positive, 40] });
    // @ts-expect-error: there is no such option
    optionGroup<Options>({ watts: [positive, 40], act, color: [nonEmptyString, 'red'] });
    // @ts-expect-error: the default is of another type
    optionGroup<Options>({ watts: [positive, '40'], act });
    // @ts-expect-error: an option without a default is named as such
    optionGroup<Options>({ watts: positive, act });
    expect(optionGroup<Options, 'watts'>({ watts: positive, act }).build({})).toHaveProperty('act');
  });
});
