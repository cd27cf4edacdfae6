// curve.js: draws the expected false positive rate of a filter against the
// number of values in it.  The rate's axis is logarithmic, and its lowest line
// stands for all lower rates, too.
import { byId } from './dom.js';
import { count, exactPercent } from './numbers.js';

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 260;
const EDGE = { left: 80, right: 16, top: 12, bottom: 40 };

/**
 * Draw points [{values, rate}] in ascending order, the last at the right edge,
 * and mark the filter's capacity and target rate.
 */
export function drawCurve(points, capacity, target) {
    const figure = byId('curve');
    const width = Math.max(figure.clientWidth, 240);
    const most = points.at(-1).values;
    const lowest = Math.pow(10, Math.floor(Math.log10(target)) - 2);
    const x = (values) => EDGE.left + values / most * (width - EDGE.left - EDGE.right);
    const y = (rate) => EDGE.top + Math.log(rate) / Math.log(lowest) * (HEIGHT - EDGE.top - EDGE.bottom);
    const svg = shape('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, 'aria-hidden': 'true' });

    for (let rate = 1; rate > lowest / 2; rate /= 10) {
        svg.append(shape('path', { class: 'grid', d: `M${EDGE.left} ${y(rate)}H${width - EDGE.right}` }),
            shape('text', { x: EDGE.left - 8, y: y(rate) + 4, 'text-anchor': 'end' },
                `${rate / 10 > lowest / 2 ? '' : '≤ '}${exactPercent(rate)}`));
    }
    svg.append(
        shape('path', { class: 'axis', d: `M${EDGE.left} ${y(lowest)}H${width - EDGE.right}` }),
        ...[0, 1, 2, 3].filter((times) => times * capacity <= most).map((times) =>
            shape('text', { x: x(times * capacity), y: HEIGHT - 22,
                'text-anchor': ['start', 'middle', 'middle', 'end'][times] },
                shortCount(times * capacity))),
        shape('text', { x: (EDGE.left + width - EDGE.right) / 2, y: HEIGHT - 4, 'text-anchor': 'middle' },
            'values in the filter'),
        shape('path', { class: 'mark', d: `M${x(capacity)} ${y(lowest)}V${y(target)}H${EDGE.left}` }),
        shape('path', { class: 'plot', d: line([{ values: 0, rate: 0 }, ...points], x, (rate) => y(Math.max(rate, lowest))) }),
        shape('circle', { class: 'dot', cx: x(capacity), cy: y(target), r: 6 }));
    figure.replaceChildren(svg);
}

function line(points, x, y) {
    return points.map(({ values, rate }, i) =>
        `${i === 0 ? 'M' : 'L'}${x(values).toFixed(1)} ${y(rate).toFixed(1)}`).join('');
}

// 1,500,000 as "1.5M": there is little room below the axis
function shortCount(n) {
    return n < 10000 ? count(n) : new Intl.NumberFormat('en', { notation: 'compact' }).format(n);
}

function shape(name, attributes, text = '') {
    const result = document.createElementNS(SVG, name);
    for (const [attribute, value] of Object.entries(attributes))
        result.setAttribute(attribute, value);
    result.textContent = text;
    return result;
}
