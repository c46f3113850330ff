// The page of a recording: that of a sample, with what a kernel could have said of it.
import { data, write } from './lib.mjs';

const share = (limit, detail, seconds, total) => ({ limit, detail, seconds, share: seconds / total, confidence: 0.9 });

/** The path of a page with what a kernel says beside the packets of the sample `send-buffer`; `change` alters it. */
export function recorded(name, change = () => undefined) {
    const value = data('send-buffer');
    for (const language of Object.keys(value.documents)) {
        const [connection] = value.documents[language].connections;
        connection.source = 'both';
        connection.process = { pid: 812, name: 'mysqld', cgroup: null };
        const half = connection.halves.find((one) => one.bytes > 100_000);
        half.kernel = {
            seconds: 10,
            samples: 98,
            limits: [share('send_buffer', null, 9.5, 10), share('application', 'idle', 0.5, 10)],
            packets: [
                share('send_buffer', null, 9.7, 10),
                share('receive_window', 'ramp', 0.2, 10),
                share('receive_window', null, 0.095, 10),
                share('tail_rtt', null, 0.005, 10),
            ],
            disagreement: 0.05,
            disagrees: false,
            clocks: {
                watched_s: 12,
                busy_s: 11.4,
                rwnd_limited_s: 0.3,
                sndbuf_limited_s: 0.24,
                sndbuf_limited_misses: true,
                rwnd_limited_is_wrong: false,
            },
        };
        change(connection, half);
        // The words of a page that has a recording.
        Object.assign(value.messages[language], words[language]);
    }
    return write(name, value);
}

const words = {
    en: {
        'heading-kernel': 'the kernel’s view',
        'kernel-label-packets': 'packets',
        'kernel-label-samples': 'kernel',
        'kernel-label-clocks': 'tcp_info',
        'kernel-agrees': 'Both of {time} agree.',
        'kernel-disagrees': 'They disagree for {share} of {time}.',
        'kernel-clocks-miss-send-buffer': 'sndbuf_limited misses it.',
        'kernel-clocks-miss-window': 'rwnd_limited is wrong.',
        'kernel-receiver': 'Only the receiver.',
        'kernel-column-samples': '{time}, samples: {samples}',
        'kernel-column-watched': 'watched for {time}',
        'kernel-row-busy': 'busy row',
        'kernel-clock-doubted': 'doubted',
        'kernel-no-clock': 'no clock',
    },
};
words['zh-CN'] = words.en;
