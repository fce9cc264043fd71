import type { McpContext } from '@rekog/mcp-nest';
import { WeatherController } from './weather.controller';

it('forecasts', async () => {
  const reportProgress = jest.fn();
  const { content } = await new WeatherController().forecast({ city: 'Paris' }, {
    reportProgress,
  } as unknown as McpContext);
  expect(content[0].text).toBe('Rain in Paris');
  expect(reportProgress).toHaveBeenCalledWith({ progress: 1, total: 2 });
});
