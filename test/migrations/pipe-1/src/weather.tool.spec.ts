import { WeatherTool } from './weather.tool';

it('forecasts', async () => {
  const reportProgress = jest.fn();
  const context: any = { reportProgress };
  const { content } = await new WeatherTool().forecast({ city: 'Paris' }, context);
  expect(content[0].text).toBe('Rain in Paris');
  expect(reportProgress).toHaveBeenCalledWith({ progress: 1, total: 2 });
});
