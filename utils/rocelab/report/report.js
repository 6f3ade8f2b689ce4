// SPDX-License-Identifier: GPL-2.0-only
// Draws the charts of the page, one in each element of class "plot", with uPlot.
"use strict";
(function () {
  const HEIGHT = 260;
  const LABEL_WIDTH = 55; // Pixels of an x axis, for a label with its gap.
  const CAP = 3; // Pixels from an error bar to an end of its cap.
  const BAR_WIDTH = Math.max(1, Math.round(devicePixelRatio));
  const charts = JSON.parse(document.getElementById("charts").textContent);

  const isLog = (axis) => axis.scale === "log" || axis.scale === "log2";

  // uPlot needs one x for all series: the sorted union, with nothing where a series has no point.
  function align(chart) {
    const keep = (value) => (isLog(chart.y) && !(value > 0) ? null : value);
    const tables = chart.series.map((one) => [one.x, one.y.map(keep)]);
    return tables.length > 1 ? uPlot.join(tables) : tables[0];
  }

  // As the pictures write numbers: thousands with a comma, from a million on with a prefix.
  function format(value) {
    if (value === null || value === undefined) return "";
    const size = Math.abs(value);
    if (size >= 1e9) return +(value / 1e9).toPrecision(4) + "G";
    if (size >= 1e6) return +(value / 1e6).toPrecision(4) + "M";
    return size < 1e-3 ? String(+value.toPrecision(4)) : (+value.toPrecision(4)).toLocaleString("en-US", {
      maximumFractionDigits: 6,
    });
  }

  function formatBinary(value) {
    for (const [factor, prefix] of [[2 ** 30, "Gi"], [2 ** 20, "Mi"], [2 ** 10, "Ki"]]) {
      if (value >= factor) return +(value / factor).toPrecision(4) + prefix;
    }
    return format(value);
  }

  function makeAxis(axis) {
    const write = axis.binary ? formatBinary : format;
    const made = {
      label: axis.label,
      labelSize: 20,
      labelGap: 2,
      labelFont: "13px system-ui, sans-serif",
      font: "12px system-ui, sans-serif",
      grid: { stroke: "#e4e8ec", width: 1 },
      ticks: { stroke: "#c3cad1", width: 1 },
      values: (_, splits) => splits.map((value) => (value === null ? "" : write(value))),
    };
    if (axis.scale !== "linear") {
      made.filter = axis.scale === "log2" ? keepPowers : keepDecades;
      made.grid.filter = made.filter;
      made.ticks.filter = made.filter;
    }
    return made;
  }

  // Labels at powers of two, as many as there is room for.
  function keepPowers(plot, splits) {
    const powers = splits.filter((value) => Number.isInteger(Math.log2(value)));
    const stride = Math.ceil((powers.length * LABEL_WIDTH) / Math.max(plot.width, 1));
    return splits.map((value) => (powers.indexOf(value) % stride === 0 ? value : null));
  }

  // Labels at zero and powers of ten; where there are fewer than two of these, at 2 and 5 as well, or at all digits.
  function keepDecades(_, splits) {
    const choices = [[1], [1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]];
    const isEnough = (parts) => splits.filter((value) => isPart(value, parts)).length > 1;
    const parts = choices.find(isEnough) || choices[2];
    return splits.map((value) => (value === 0 || isPart(value, parts) ? value : null));
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

  function floorPower(value) {
    return value > 0 ? Math.pow(2, Math.floor(Math.log2(value))) : 1;
  }

  function makeScale(axis) {
    if (axis.scale === "linear") return { time: false };
    if (axis.scale === "log0") {
      return { time: false, distr: 4, asinh: axis.least, range: (_, low, high) => [low, high * 1.2] };
    }
    if (axis.scale === "log2") {
      return { time: false, distr: 3, log: 2, range: (_, low, high) => [floorPower(low), high * 1.15] };
    }
    const range = (_, low, high) =>
      low > 0 ? [roundDigit(low, Math.floor), roundDigit(high * 1.02, Math.ceil)] : [1, 10];
    return { time: false, distr: 3, log: 10, range: range };
  }

  // The y axis starts at zero, or is a log one. While it shows all points, it has room for the error bars.
  function makeYScale(axis, series, columns) {
    const scale = makeScale(axis);
    const isShown = (value) => typeof value === "number" && (!isLog(axis) || value > 0);
    const points = columns.flat().filter(isShown);
    const ends = series.flatMap((one) => [...(one.low || []), ...(one.high || [])]).filter(isShown);
    const lowest = Math.min(...points);
    const highest = Math.max(...points);
    const { range } = scale;
    scale.range = (plot, low, high) => {
      const isWhole = low === lowest && high === highest;
      const [least, most] = isWhole ? [Math.min(low, ...ends), Math.max(high, ...ends)] : [low, high];
      if (isLog(axis)) return range(plot, least, most);
      return [Math.min(0, least), most > 0 ? most * 1.05 : 1];
    };
    return scale;
  }

  // Error bars, and the points of what is not complete.
  function drawMarks(plot, chart) {
    const context = plot.ctx;
    context.save();
    context.lineWidth = BAR_WIDTH;
    (chart.events || []).forEach((at) => drawEvent(plot, at));
    chart.series.forEach((one, number) => {
      if (!plot.series[number + 1].show) return;
      context.strokeStyle = one.color;
      (one.low || []).forEach((low, index) => drawBar(plot, one.x[index], low, one.high[index]));
      (one.hollow || []).forEach((index) => drawHollow(plot, one.x[index], one.y[index]));
    });
    context.restore();
  }

  // A link goes down or comes up.
  function drawEvent(plot, at) {
    const { left, top, width, height } = plot.bbox;
    const place = Math.round(plot.valToPos(at, "x", true)) + (BAR_WIDTH % 2) / 2;
    if (place < left || place > left + width) return;
    plot.ctx.save();
    plot.ctx.strokeStyle = "#777777";
    plot.ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    plot.ctx.beginPath();
    plot.ctx.moveTo(place, top);
    plot.ctx.lineTo(place, top + height);
    plot.ctx.stroke();
    plot.ctx.restore();
  }

  function drawBar(plot, x, low, high) {
    if (low === null) return;
    const { left, top, width, height } = plot.bbox;
    const clamp = (value) => Math.min(Math.max(value, top), top + height);
    const place = Math.round(plot.valToPos(x, "x", true)) + (BAR_WIDTH % 2) / 2; // Whole pixels are sharp.
    if (place < left || place > left + width) return;
    const bottom = plot.scales.y.distr === 3 && !(low > 0) ? top + height : clamp(plot.valToPos(low, "y", true));
    const end = clamp(plot.valToPos(high, "y", true));
    const cap = CAP * devicePixelRatio;
    plot.ctx.beginPath();
    for (const [fromX, fromY, toX, toY] of [
      [place, bottom, place, end],
      [place - cap, bottom, place + cap, bottom],
      [place - cap, end, place + cap, end],
    ]) {
      plot.ctx.moveTo(fromX, fromY);
      plot.ctx.lineTo(toX, toY);
    }
    plot.ctx.stroke();
  }

  function drawHollow(plot, x, y) {
    if (y === null) return;
    plot.ctx.beginPath();
    plot.ctx.arc(plot.valToPos(x, "x", true), plot.valToPos(y, "y", true), 3 * devicePixelRatio, 0, 2 * Math.PI);
    plot.ctx.fillStyle = "#fff";
    plot.ctx.fill();
    plot.ctx.stroke();
  }

  // The value of a series at a place of the x axis: of steps the one before it, else the nearest; null beyond its ends.
  function findValue(one, x) {
    const after = one.x.findIndex((place) => place > x);
    const before = after < 0 ? one.x.length - 1 : after - 1;
    if (before < 0) return null;
    if (one.step || one.x[before] === x) return one.y[before];
    if (after < 0) return null;
    return one.y[x - one.x[before] <= one.x[after] - x ? before : after];
  }

  // Where the legend's values are from while the pointer is elsewhere: the middle of what all series have.
  function findMiddle(places, series) {
    const low = Math.max(...series.map((one) => one.x[0]));
    const high = Math.min(...series.map((one) => one.x[one.x.length - 1]));
    const common = places.filter((x) => low <= x && x <= high);
    const usable = common.length ? common : places;
    return usable[Math.floor((usable.length - 1) / 2)];
  }

  function draw(place, chart) {
    const data = align(chart);
    const middle = findMiddle(data[0], chart.series);
    const at = (index) => (index === null || index === undefined ? middle : data[0][index]);
    const options = {
      width: place.clientWidth,
      height: HEIGHT,
      scales: { x: makeScale(chart.x), y: makeYScale(chart.y, chart.series, data.slice(1)) },
      axes: [makeAxis(chart.x), Object.assign({ size: 64 }, makeAxis(chart.y))],
      cursor: { drag: { x: true, y: true, uni: 20 } },
      hooks: { draw: [(plot) => drawMarks(plot, chart)] },
      series: [{ label: chart.x.label, value: (_, value, __, index) => format(at(index)) }].concat(
        chart.series.map((one) => ({
          label: one.label,
          stroke: one.color,
          width: 1.8,
          dash: one.dash.length ? one.dash : undefined,
          paths: one.step ? uPlot.paths.stepped({ align: 1 }) : undefined,
          points: { show: one.points, size: 6, fill: one.color },
          value: (_, value, __, index) => format(findValue(one, at(index))) || "\u2013",
        })),
      ),
    };
    const plot = new uPlot(options, data, place);
    new ResizeObserver(() => {
      if (place.clientWidth !== plot.width) plot.setSize({ width: place.clientWidth, height: HEIGHT });
    }).observe(place);
  }

  document.querySelectorAll(".plot").forEach((place) => draw(place, charts[+place.dataset.chart]));
  document.documentElement.dataset.drawn = "yes";
})();
