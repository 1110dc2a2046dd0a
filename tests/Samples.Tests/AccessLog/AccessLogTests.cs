using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.AccessLog;

public class AccessLogTests
{
    private const string Request = """192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 10 "-" "agent" """;

    [Fact]
    public async Task The_sample_log_gives_its_figures()
    {
        var result = (await SampleProcess.RunAsync("02-AccessLog", Repository.PathOf("samples/02-AccessLog/sample.log"))).Succeeded();

        Assert.Equal("29 lines, 25 requests, 4 malformed", result.Lines[0]);
        AssertSection(result, "Top paths", "6  /", "3  /style.css", "2  /admin", "2  /download/manual.pdf", "2  /logo.png", "2  /orders/2");
        AssertSection(result, "Status codes", "14  200", "1  201", "1  206", "1  301", "2  304", "1  400", "2  403", "1  404", "1  408", "1  500");
        AssertSection(
            result,
            "Bytes per hour",
            "2025-03-03 08:00  22452 bytes  12 requests",
            "2025-03-03 09:00  5261303 bytes  9 requests",
            "2025-03-03 10:00  5346 bytes  4 requests");
    }

    [Fact]
    public async Task The_log_can_come_from_standard_input()
    {
        var fromFile = (await SampleProcess.RunAsync("02-AccessLog", Repository.PathOf("samples/02-AccessLog/sample.log"))).Succeeded();
        var fromInput = await RunAsync(Repository.Read("samples/02-AccessLog/sample.log"));

        Assert.Equal(fromFile.Output, fromInput.Output);
    }

    [Fact]
    public async Task Hours_are_drawn_as_bars_with_a_day_in_a_line()
    {
        var result = (await SampleProcess.RunAsync("02-AccessLog", Repository.PathOf("samples/02-AccessLog/sample.log"), "--bars")).Succeeded();

        AssertSection(result, "Bytes per hour", "0  6  12  18", "2025-03-03  ········▁█▁·············  5,289,101 bytes  25 requests");
    }

    [Fact]
    public async Task Malformed_lines_are_reported_with_number_and_reason()
    {
        var result = await RunAsync(string.Join('\n',
            Request.TrimEnd(),
            "",
            "only words",
            """a - - no time "GET / HTTP/1.1" 200 10 "-" "-" """.TrimEnd(),
            """a - - [17/Mai/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 10 "-" "-" """.TrimEnd(),
            """a - - [17/May/2015:10:05:03 +0000] GET / HTTP/1.1 200 10 "-" "-" """.TrimEnd(),
            """a - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 99 10 "-" "-" """.TrimEnd(),
            """a - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 ten "-" "-" """.TrimEnd(),
            """a - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 10 none "-" """.TrimEnd(),
            """a - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 10 "-" "cut \" """.TrimEnd(),
            """a - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 10 "-" "-" more""",
            "\0\u0001\uFFFD",
            Request.TrimEnd()));

        Assert.Equal("13 lines, 2 requests, 11 malformed", result.Lines[0]);
        AssertSection(
            result,
            "Malformed lines",
            "line 2: it does not start with client, identity and user",
            "line 3: it does not start with client, identity and user",
            "line 4: there is no time in brackets after the user",
            "line 5: the time '17/Mai/2015:10:05:03 +0000' is not like 17/May/2015:10:05:03 +0000",
            "line 6: there is no request in quotes after the time",
            "line 7: there is no status of three digits after the request",
            "line 8: there is no number of bytes after the status",
            "line 9: there is no referrer in quotes after the bytes",
            "line 10: there is no user agent in quotes after the referrer",
            "line 11: the line goes on after the user agent",
            "line 12: it does not start with client, identity and user");
    }

    [Fact]
    public async Task Many_malformed_lines_are_counted()
    {
        var result = await RunAsync(string.Concat(Enumerable.Repeat("nonsense\n", 1000)));

        Assert.Equal("1000 lines, 0 requests, 1000 malformed", result.Lines[0]);
        Assert.Equal("and 980 more", result.LastLine.Trim());
    }

    [Fact]
    public async Task An_empty_log_has_no_lines()
    {
        var result = await RunAsync("");

        Assert.Equal("0 lines, 0 requests, 0 malformed", result.Lines[0]);
    }

    [Fact]
    public async Task Requests_of_unusual_words_are_kept_whole()
    {
        var result = await RunAsync("""192.0.2.1 - - [17/May/2015:10:05:03 +0000] "\x16\x03\"" 400 - "-" "-" """.TrimEnd());

        AssertSection(result, "Top paths", """1  \x16\x03\" """.TrimEnd());
    }

    [Fact]
    public async Task A_line_with_more_bytes_than_a_server_can_send_does_not_hide_the_others()
    {
        var large = Request.TrimEnd().Replace("200 10", "200 9000000000000000000", StringComparison.Ordinal);
        var result = await RunAsync(string.Join('\n', large, large, large.Replace(":10:", ":11:", StringComparison.Ordinal), Request.TrimEnd()), "--bars");

        AssertSection(result, "Bytes per hour", "0  6  12  18", "2015-05-17  ··········█▄············  27,000,000,000,000,000,010 bytes  4 requests");
    }

    [Fact]
    public async Task The_first_hour_of_all_times_does_not_hide_the_others()
    {
        var first = Request.TrimEnd().Replace("17/May/2015:10:05:03 +0000", "01/Jan/0001:00:30:00 +0030", StringComparison.Ordinal);
        var result = await RunAsync(string.Join('\n', first, Request.TrimEnd()));

        AssertSection(result, "Bytes per hour", "0001-01-01 00:00  10 bytes  1 requests", "2015-05-17 10:00  10 bytes  1 requests");
    }

    [LinuxFact]
    public async Task An_interrupt_leaves_no_files()
    {
        using var sample = SampleProcess.Start("02-AccessLog");
        string? directory = null;
        await sample.UntilAsync(() => (directory = QueueDirectoryOf(sample)) is not null);
        await Shell.RunAsync($"kill -INT {sample.Id}", Repository.Root);

        Assert.Equal(130, (await sample.WaitAsync()).ExitCode);
        Assert.False(Directory.Exists(directory), directory);
    }

    [Fact]
    public async Task A_missing_file_is_explained()
    {
        var result = await SampleProcess.RunAsync("02-AccessLog", "no such file.log");

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("no such file.log", result.Errors, StringComparison.Ordinal);
    }

    // The figures were made with awk, independently of this project; docs are in samples/02-AccessLog/README.md.
    [TestDataFact("access.log")]
    public async Task The_real_log_gives_the_figures_of_awk()
    {
        var result = (await SampleProcess.RunAsync("02-AccessLog", TestDataFactAttribute.PathOf("access.log"))).Succeeded();

        Assert.Equal("10000 lines, 9999 requests, 1 malformed", result.Lines[0]);
        AssertSection(
            result,
            "Top paths",
            "807  /favicon.ico",
            "546  /style2.css",
            "538  /reset.css",
            "533  /images/jordan-80.png",
            "516  /images/web/2009/banner.png",
            "488  /blog/tags/puppet?flav=rss20",
            "224  /projects/xdotool/",
            "217  /?flav=rss20",
            "197  /",
            "180  /robots.txt");
        AssertSection(result, "Status codes", "9125  200", "45  206", "164  301", "445  304", "2  403", "213  404", "2  416", "3  500");
        AssertSection(
            result, "Bytes per hour", "2015-05-17 10:00  5185322 bytes  74 requests", "2015-05-17 11:00  1895574 bytes  111 requests", "2015-05-17 12:00  1996674 bytes  115 requests");
        Assert.Equal(84, result.Lines.Count(line => line.EndsWith(" requests", StringComparison.Ordinal) && line.StartsWith("2015-05-", StringComparison.Ordinal)));
        AssertSection(result, "Malformed lines", "line 8899: there is no user agent in quotes after the referrer");
    }

    private static async Task<SampleResult> RunAsync(string log, params string[] arguments)
    {
        using var sample = SampleProcess.Start("02-AccessLog", arguments);
        await sample.WriteInputAsync(log);
        return (await sample.WaitAsync()).Succeeded();
    }

    // The queue is there as soon as its control file is mapped.
    private static string? QueueDirectoryOf(SampleProcess sample)
    {
        var mapped = File.ReadLines($"/proc/{sample.Id}/maps").FirstOrDefault(static line => line.Contains("/accesslog-", StringComparison.Ordinal));
        return mapped is null ? null : Path.GetDirectoryName(mapped[mapped.IndexOf('/', StringComparison.Ordinal)..]);
    }

    // The lines below a heading, with single and double spaces only.
    private static void AssertSection(SampleResult result, string heading, params string[] expected)
    {
        var lines = result.Lines.SkipWhile(line => line != heading).Skip(1).Take(expected.Length);
        Assert.Equal(expected, lines.Select(line => string.Join("  ", line.Split("  ", StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))));
    }
}
