import { Injectable } from '@nestjs/common';
import {
  Complete,
  McpModule,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  type ContentBlock,
  type McpContext,
} from 'nestjs-mcp';

const LISTED = {
  title: 'A title',
  description: 'A description',
  icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
  _meta: { 'example.com/shelf': 3 },
};
const ANNOTATIONS = { priority: 1, lastModified: '2025-01-12T15:00:58Z' };
const COUNT = { type: 'object', properties: { open: { type: 'number' } }, required: ['open'] };

/** Handlers that use everything any revision defines. */
@Injectable()
class RichHandlers {
  @Tool({ ...LISTED, annotations: { readOnlyHint: true }, outputSchema: COUNT })
  structured(_: object, context: McpContext) {
    context.progress(1, 2, 'half done');
    return { open: 3 };
  }

  @Tool({ description: 'Gives any value' })
  anyValue() {
    return { content: [{ type: 'text' as const, text: '[1,2]' }], structuredContent: [1, 2] };
  }

  @Tool({ description: 'Gives a sound and a link' })
  content(): ContentBlock[] {
    return [
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'desk://a', ...LISTED, name: 'a' },
      { type: 'text', text: 'noted', annotations: ANNOTATIONS, _meta: LISTED._meta },
    ];
  }

  @Resource({ ...LISTED, uri: 'desk://a', annotations: ANNOTATIONS })
  resource(): string {
    return 'text';
  }

  @ResourceTemplate({ ...LISTED, uriTemplate: 'desk://a/{id}', annotations: ANNOTATIONS })
  template(): string {
    return 'text';
  }

  @Prompt({ ...LISTED, arguments: [{ name: 'tone', title: 'Tone', description: 'How it sounds' }] })
  prompt(): string {
    return 'text';
  }

  @Complete({ prompt: 'prompt', argument: 'tone' })
  tones(): string[] {
    return ['calm'];
  }
}

/** What the application of the field matrix consists of. */
export const richApp = () => ({
  imports: [
    McpModule.forRoot({
      serverInfo: {
        name: 'desk',
        version: '1.0.0',
        title: 'The desk',
        description: 'A help desk',
        websiteUrl: 'https://example.com',
        icons: LISTED.icons,
      },
    }),
  ],
  providers: [RichHandlers],
});
