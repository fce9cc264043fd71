import { expect, it } from '@jest/globals';
import { migrateFiles } from './migrate-files.js';

const TOOL = `import { UseFilters } from '@nestjs/common';
import { Tool } from '@rekog/mcp-nest';
import { ShopFilter } from './shop.filter';
export class Shop {
  @Tool({ name: 'order' })
  @UseFilters(ShopFilter)
  order() {}
}
`;
const FILTER = `import { Catch } from '@nestjs/common';

@Catch()
export class ShopFilter {
  catch(exception: Error) {
    const names = ['a'].map((one) => { return one.length; });
    if (names.length > 1) return { names };
    return \`Failed: \${exception.message}\`;
  }
}
`;

it('A filter of handlers throws the text that it returned in 1.x, so that it stays an error', async () => {
  const { files } = await migrateFiles({ 'src/shop.ts': TOOL, 'src/shop.filter.ts': FILTER });
  expect(files['src/shop.filter.ts']).toBe(
    FILTER.replace(
      "from '@nestjs/common';",
      "from '@nestjs/common';\nimport { ToolError } from 'nestjs-mcp';",
    ).replace(/return (`.*`);/, 'throw new ToolError($1);'),
  );
  const elsewhere = await migrateFiles({
    'src/shop.filter.ts': FILTER,
    'src/shop.ts': TOOL.replace('@UseFilters(ShopFilter)', ''),
  });
  expect(elsewhere.files['src/shop.filter.ts']).toBe(FILTER);
});
