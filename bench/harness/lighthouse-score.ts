/* Scores of Lighthouse 10 and later on its desktop profile, from a page's metrics. */

/** Metrics of a page: times in milliseconds, and the cumulative layout shift. */
export interface PageMeasures {
  firstContentfulPaint: number;
  largestContentfulPaint: number;
  totalBlockingTime: number;
  layoutShift: number;
}

interface Curve {
  /** The value that scores 0.9. */
  p10: number;
  /** The value that scores 0.5. */
  median: number;
  weight: number;
}

/**
 * Curves and weights of the desktop profile
 * (https://github.com/GoogleChrome/lighthouse/tree/main/core/audits/metrics). The speed index needs
 * a video of the page and is omitted; its weight of a tenth is distributed to the others.
 */
const CURVES: Record<keyof PageMeasures, Curve> = {
  firstContentfulPaint: { p10: 934, median: 1_600, weight: 10 },
  largestContentfulPaint: { p10: 1_200, median: 2_400, weight: 25 },
  totalBlockingTime: { p10: 150, median: 350, weight: 30 },
  layoutShift: { p10: 0.1, median: 0.25, weight: 25 },
};

/** The 0.9 quantile of the normal distribution. */
const NORMAL_P90 = 1.281_551_565_545;

/** Returns the score of a page, 0 to 100. */
export function lighthouseScore(measures: PageMeasures): number {
  const parts = Object.entries(CURVES).map(([name, { weight, ...curve }]) => ({
    weight,
    score: logNormalScore(measures[name as keyof PageMeasures], curve),
  }));
  const whole = parts.reduce((sum, { weight }) => sum + weight, 0);
  return (100 * parts.reduce((sum, { weight, score }) => sum + weight * score, 0)) / whole;
}

/** Returns the fraction of a log-normal distribution that is worse than a value. */
function logNormalScore(value: number, { p10, median }: Pick<Curve, "p10" | "median">): number {
  if (value <= 0) return 1;
  const deviation = Math.log(median / p10) / NORMAL_P90;
  return 1 - normalDistribution(Math.log(value / median) / deviation);
}

/** Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17: accurate to 7.5e-8. */
function normalDistribution(x: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(x));
  const series =
    t *
    (0.319_381_530 +
      t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return x >= 0 ? 1 - tail : tail;
}
