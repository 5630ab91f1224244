import { createRequire } from 'node:module';
import { PICTURE, type Charts } from '../ports/charts.ts';
import { barChartSvg, FONT } from './bar-chart.ts';

/**
 * Draws pictures of numbers, in a thread of the runtime's. The renderer is loaded with the first of them: where its
 * program for the platform is missing, drawing fails and nothing else.
 */
export function createCharts(): Charts {
  const require = createRequire(import.meta.url);
  return {
    async draw(chart) {
      const { renderAsync } = await import('@resvg/resvg-js');
      const image = await renderAsync(barChartSvg(chart), {
        fitTo: { mode: 'width', value: PICTURE.width },
        font: {
          loadSystemFonts: false,
          fontFiles: [
            require.resolve('vazirmatn/fonts/ttf/Vazirmatn-Regular.ttf'),
            require.resolve('vazirmatn/fonts/ttf/Vazirmatn-Bold.ttf'),
          ],
          defaultFontFamily: FONT,
        },
      });
      return image.asPng();
    },
  };
}
