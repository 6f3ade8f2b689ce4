// SPDX-License-Identifier: GPL-2.0-only
// Draws the charts of the page, one in each element of class "plot", with uPlot.
"use strict";
(function () {
  const HEIGHT = 260;
  const charts = JSON.parse(document.getElementById("charts").textContent);

  // uPlot needs one x for all series: the sorted union, with nothing where a series has no point.
  function align(series) {
    const tables = series.map((one) => [one.x, one.y]);
    return tables.length > 1 ? uPlot.join(tables) : tables[0];
  }

  function format(value) {
    if (value === null || value === undefined) return "";
    const size = Math.abs(value);
    if (size >= 1e9) return +(value / 1e9).toPrecision(3) + "G";
    if (size >= 1e6) return +(value / 1e6).toPrecision(3) + "M";
    if (size >= 1e4) return +(value / 1e3).toPrecision(3) + "k";
    return String(+value.toPrecision(3));
  }

  function makeAxis(axis) {
    const made = {
      label: axis.label,
      labelSize: 20,
      labelGap: 2,
      labelFont: "13px system-ui, sans-serif",
      font: "12px system-ui, sans-serif",
      grid: { stroke: "#e4e8ec", width: 1 },
      ticks: { stroke: "#c3cad1", width: 1 },
      values: (_, splits) => splits.map((value) => (value === null ? "" : format(value))),
    };
    if (axis.log) {
      // Labels at powers of ten; where there are fewer than two of them, at 2 and 5 as well, or at all digits.
      made.filter = function (_, splits) {
        const choices = [[1], [1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]];
        const isEnough = (parts) => splits.filter((value) => isPart(value, parts)).length > 1;
        const parts = choices.find(isEnough) || choices[2];
        return splits.map((value) => (isPart(value, parts) ? value : null));
      };
      made.grid.filter = made.filter;
      made.ticks.filter = made.filter;
    }
    return made;
  }

  function isPart(value, parts) {
    if (!(value > 0)) return false;
    const mantissa = value / Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
    return parts.some((part) => Math.abs(mantissa - part) < 1e-6);
  }

  // A logarithmic axis begins and ends at one digit and zeros: uPlot counts its marks from there.
  function roundDigit(value, round) {
    const magnitude = Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
    return +(round(+(value / magnitude).toFixed(6)) * magnitude).toPrecision(6);
  }

  function makeScale(axis) {
    if (!axis.log) return { time: false };
    const range = (_, low, high) =>
      low > 0 ? [roundDigit(low, Math.floor), roundDigit(high * 1.02, Math.ceil)] : [1, 10];
    return { time: false, distr: 3, log: 10, range: range };
  }

  function draw(place, chart) {
    const options = {
      width: place.clientWidth,
      height: HEIGHT,
      scales: { x: makeScale(chart.x), y: makeScale(chart.y) },
      axes: [makeAxis(chart.x), Object.assign({ size: 58 }, makeAxis(chart.y))],
      cursor: { drag: { x: true, y: true, uni: 20 } },
      series: [{ label: chart.x.label, value: (_, value) => format(value) || "\u2013" }].concat(
        chart.series.map((one) => ({
          label: one.label,
          stroke: one.color,
          width: 1.8,
          dash: one.dash.length ? one.dash : undefined,
          paths: one.step ? uPlot.paths.stepped({ align: 1 }) : undefined,
          points: { show: one.points, size: 6, fill: one.color },
          value: (_, value) => format(value) || "\u2013",
        })),
      ),
    };
    if (!chart.y.log) {
      options.scales.y.range = (_, low, high) => [Math.min(0, low), high > 0 ? high * 1.05 : 1];
    }
    const plot = new uPlot(options, align(chart.series), place);
    new ResizeObserver(() => {
      if (place.clientWidth !== plot.width) plot.setSize({ width: place.clientWidth, height: HEIGHT });
    }).observe(place);
  }

  document.querySelectorAll(".plot").forEach((place) => draw(place, charts[+place.dataset.chart]));
  document.documentElement.dataset.drawn = "yes";
})();
