import { Body, Injectable, UseFilters, UsePipes } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MinLength } from 'class-validator';
import { Tool } from 'nestjs-mcp';
import {
  AcceptLanguageResolver,
  HeaderResolver,
  I18n,
  I18nContext,
  I18nLang,
  I18nLoader,
  I18nModule,
  I18nService,
  I18nValidationExceptionFilter,
  I18nValidationPipe,
  i18nValidationMessage,
} from 'nestjs-i18n';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { callTool } from '../tool-text.js';

/** Translations without files. */
class FixedLoader extends I18nLoader {
  async languages() {
    return ['en', 'de'];
  }

  async load() {
    return {
      en: { desk: { hello: 'Hello {name}', short: 'The title is too short' } },
      de: { desk: { hello: 'Hallo {name}', short: 'Der Titel ist zu kurz' } },
    };
  }
}

class TitleDto {
  @MinLength(3, { message: i18nValidationMessage('desk.short') })
  title!: string;
}

const inputSchema = { type: 'object', properties: { title: { type: 'string' } } } as const;

@Injectable()
class SpokenTools {
  constructor(private readonly i18n: I18nService) {}

  @Tool()
  hello(@I18n() i18n: I18nContext, @I18nLang() lang: string) {
    return [i18n.t('desk.hello', { args: { name: 'Ada' } }), lang];
  }

  @Tool()
  service() {
    const { lang = 'none' } = I18nContext.current() ?? {};
    return this.i18n.t('desk.hello', { lang, args: { name: 'Bob' } });
  }

  @Tool({ inputSchema })
  @UsePipes(new I18nValidationPipe())
  @UseFilters(new I18nValidationExceptionFilter({ detailedErrors: false }))
  checked(@Body() { title }: TitleDto) {
    return title;
  }
}

describe.each(ADAPTERS)('nestjs-i18n on handlers, on %s', (adapter) => {
  let desk: RunningApp;
  const call = (name: string, lang: string, args: object = {}) =>
    callTool(desk.url, name, args, { 'accept-language': lang });

  beforeAll(async () => {
    const i18n = I18nModule.forRoot({
      fallbackLanguage: 'en',
      loaders: [new FixedLoader()],
      resolvers: [new HeaderResolver(['x-lang']), AcceptLanguageResolver],
      logging: false,
    });
    desk = await bootServer({ adapter, imports: [i18n], providers: [SpokenTools] });
  });

  afterAll(() => desk.close());

  it('speaks the language of the request, by parameters and by its service (NEST-04)', async () => {
    expect(JSON.parse((await call('hello', 'de')).text)).toEqual(['Hallo Ada', 'de']);
    expect(JSON.parse((await call('hello', 'en')).text)).toEqual(['Hello Ada', 'en']);
    expect((await call('service', 'de')).text).toBe('Hallo Bob');
  });

  it('tells in that language what its pipe refuses (NEST-04)', async () => {
    expect((await call('checked', 'de', { title: 'Lampe' })).text).toBe('Lampe');
    const { isError, text } = await call('checked', 'de', { title: 'L' });
    expect(isError).toBe(true);
    expect(text).toContain('Der Titel ist zu kurz');
    expect((await call('checked', 'en', { title: 'L' })).text).toContain('The title is too short');
  });
});
