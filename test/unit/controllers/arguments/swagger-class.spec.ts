import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { describe, expect, it } from '@jest/globals';
import { describeSwaggerClass, isSwaggerClass } from '../../../../lib/controllers/arguments/swagger-class.js';

class Toy {
  @ApiProperty({ minimum: 1 })
  size!: number;

  @ApiPropertyOptional()
  color?: string;
}

class Cat {
  @ApiProperty({ description: 'The name' })
  name!: string;

  @ApiPropertyOptional({ type: () => Toy })
  toy?: Toy;

  @ApiPropertyOptional({ type: () => [Cat] })
  kittens?: Cat[];

  @ApiProperty({ type: String, nullable: true })
  owner!: string | null;
}

/** As the compiler plugin of the package leaves it. */
class PluginCat extends Cat {
  static _OPENAPI_METADATA_FACTORY() {
    return { age: { required: true, type: () => Number } };
  }
}

describe('A class with swagger decorators', () => {
  it('is described with its properties, each class within itself as an object (ROUTE-01)', () => {
    expect(describeSwaggerClass(Cat, 'input')).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name' },
        toy: {
          type: 'object',
          properties: { size: { type: 'number', minimum: 1 }, color: { type: 'string' } },
          required: ['size'],
        },
        kittens: { type: 'array', items: { type: 'object' } },
        owner: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['name', 'owner'],
    });
  });

  it('may have null for what is optional, as an output (ROUTE-01)', () => {
    const { properties } = describeSwaggerClass(Toy, 'output');
    expect(properties).toEqual({
      size: { type: 'number', minimum: 1 },
      color: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    });
  });

  it('has the properties that the plugin describes (ROUTE-01)', () => {
    const { properties } = describeSwaggerClass(PluginCat, 'input');
    expect(Object.keys(properties as object).toSorted()).toEqual(['age', 'kittens', 'name', 'owner', 'toy']);
  });

  it('is told from others (ROUTE-01)', () => {
    expect([Cat, PluginCat, class {}, String, () => undefined].map(isSwaggerClass)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
