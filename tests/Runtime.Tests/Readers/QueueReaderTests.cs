using System.Globalization;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>
/// Queue directories that make_queue.py makes by docs/format/queues.md alone: both readers print the records that are in them, refuse what they must, and read
/// while a process writes.
/// </summary>
public sealed class QueueReaderTests(MadeQueues made) : IClassFixture<MadeQueues>, IDisposable
{
    private const string Refused = "refused-";
    private const int RefusedExitCode = 2;
    private const int InterruptedExitCode = 130;
    private const int LiveRecords = 20_000;
    private const int DamagedQueues = 1_000;
    private static readonly string Maker = Path.Combine(ReaderFolders.Tests, "make_queue.py");

    private readonly string _folder = Directory.CreateTempSubdirectory("queues").FullName;

    [PythonFact]
    public void Python_prints_the_records_of_each_directory() => PrintsRecords(Python);

    [CompilerAndPythonFact]
    public void C_prints_the_records_of_each_directory() => PrintsRecords(C);

    [PythonFact]
    public void Python_refuses_what_is_damaged_or_newer() => Refuses(Python);

    [CompilerAndPythonFact]
    public void C_refuses_what_is_damaged_or_newer() => Refuses(C);

    [PythonFact]
    public void Python_shows_no_control_file_whose_ring_is_damaged() => ShowsNoDamagedRing(Python);

    [CompilerAndPythonFact]
    public void C_shows_no_control_file_whose_ring_is_damaged() => ShowsNoDamagedRing(C);

    [PythonFact]
    public void Python_names_the_record_of_a_damaged_message() => NamesTheRecord(Python);

    [CompilerAndPythonFact]
    public void C_names_the_record_of_a_damaged_message() => NamesTheRecord(C);

    [CompilerAndPythonFact]
    public void C_says_that_the_output_cannot_be_written()
    {
        if (!File.Exists("/dev/full"))
        {
            return;
        }

        // The lines of the second queue fit into the buffer of the output: a reader that follows it meets the failure while it waits for more.
        AssertCannotWrite("durable", "");
        AssertCannotWrite("messages", "--follow");
    }

    [PythonFact]
    public void Python_says_that_the_output_cannot_be_written()
    {
        if (!File.Exists("/dev/full"))
        {
            return;
        }

        var (directory, _) = made.Of("durable");
        var (exitCode, _, errors) = ExternalProgram.TryRun("sh", "-c", "unset PYTHONUNBUFFERED; exec \"$0\" \"$1\" cat \"$2\" > /dev/full", PythonReader.Program, PythonReader.Module, directory);
        Assert.Equal((RefusedExitCode, "[Errno 28] No space left on device\n"), (exitCode, errors));
    }

    [PythonFact]
    public void Python_ends_well_if_the_reader_of_its_pipe_is_gone()
    {
        const string Script = """
            import os
            import subprocess
            import sys
            read, write = os.pipe()
            os.close(read)
            ended = subprocess.run([sys.executable, *sys.argv[1:]], stdout=write, stderr=subprocess.PIPE, text=True)
            print(ended.returncode, ended.stderr, end="")
            """;
        var (directory, _) = made.Of("durable");
        Assert.Equal("0 ", ExternalProgram.Run(PythonReader.Program, "-c", Script, PythonReader.Module, "cat", directory));
    }

    [PythonFact]
    public void Python_reads_from_the_position_below_another_number_and_is_closed_twice()
    {
        const string Script = """
            import sys
            sys.path.insert(0, sys.argv[1])
            import bufferedmessages as bm
            queue = bm.Queue(sys.argv[2])
            for record in list(queue.read())[:50]:
                for start in (record.position + 1, record.position + 8, record.position + 15):
                    assert next(queue.read(start)) == record, start
            assert next(queue.read(-1)) == next(queue.read())
            queue.close()
            queue.close()
            """;
        var (directory, _) = made.Of("durable-without-checksums");
        ExternalProgram.Run(PythonReader.Program, "-c", Script, ReaderFolders.Python, directory);
    }

    [PythonFact]
    public void Python_ends_without_a_traceback_when_a_key_interrupts_it()
    {
        const string Script = """
            import sys
            sys.path.insert(0, sys.argv[1])
            import bufferedmessages as bm

            def interrupt(seconds):
                raise KeyboardInterrupt

            bm.time.sleep = interrupt
            sys.exit(bm.main(["cat", sys.argv[2], "--follow"]))
            """;
        var (directory, _) = made.Of("durable");
        var (exitCode, output, errors) = ExternalProgram.TryRun(PythonReader.Program, "-c", Script, ReaderFolders.Python, directory);
        Assert.Equal((InterruptedExitCode, ""), (exitCode, errors));
        Assert.NotEmpty(output);
    }

    [PythonFact]
    public void Python_goes_on_when_the_slot_that_it_reads_is_reused()
    {
        // Between two steps of the reader the ring becomes that of a later lap, and the word at its place a free one.
        const string Script = """
            import os
            import sys
            sys.path.insert(0, sys.argv[1])
            import bufferedmessages as bm
            directory, later = sys.argv[2:]
            queue = bm.Queue(directory)
            records = queue.read()
            next(records)
            enter, is_open = queue._enter, queue._is_open

            def overtake(number):
                queue._enter, entered = enter, enter(number)
                for name in ("ring", "control"):
                    with open(os.path.join(later, name), "rb") as source, open(os.path.join(directory, name), "r+b") as target:
                        target.write(source.read())
                at = number % queue.slots * queue.segment_bytes + queue.position % queue.segment_bytes
                ring = open(os.path.join(directory, "ring"), "r+b", buffering=0)
                ring.seek(at)
                kept = ring.read(8)
                ring.seek(at)
                ring.write(bytes(8))

                def restore(number):
                    queue._is_open = is_open
                    ring.seek(at)
                    ring.write(kept)
                    return is_open(number)

                queue._is_open = restore
                return entered

            queue._enter = overtake
            found = [record.position for record in records]
            with bm.Queue(later) as expected:
                assert found == [record.position for record in expected.read()], found
            """;
        var ((directory, _), (later, _)) = (Make("bounded"), made.Of("overtaken"));
        ExternalProgram.Run(PythonReader.Program, "-c", Script, ReaderFolders.Python, directory, later);
    }

    [PythonFact]
    public void Python_follows_a_queue_that_is_repaired_meanwhile()
    {
        FollowsTheRepaired("crashed", "repair", Python);
        FollowsTheRepaired("crashed-header", "repair-header", Python);
    }

    [CompilerAndPythonFact]
    public void C_follows_a_queue_that_is_repaired_meanwhile()
    {
        FollowsTheRepaired("crashed", "repair", C);
        FollowsTheRepaired("crashed-header", "repair-header", C);
    }

    [PythonFact]
    public void Python_waits_for_a_producer_that_lives() => WaitsForTheLiving(Python);

    [CompilerAndPythonFact]
    public void C_waits_for_a_producer_that_lives() => WaitsForTheLiving(C);

    [PythonFact]
    public void Python_reads_what_is_being_written() => ReadsWhileItIsWritten(Python);

    [CompilerAndPythonFact]
    public void C_reads_what_is_being_written() => ReadsWhileItIsWritten(C);

    [CompilerAndPythonFact]
    public void C_reads_damaged_queues_without_a_fault()
    {
        foreach (var scenario in (string[])["durable", "bounded", "messages", "crashed-batch"])
        {
            var (directory, _) = Make(scenario);
            ExternalProgram.Run(CReader.Fuzz, directory, $"{DamagedQueues}", "20");
        }
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static (string Program, string[] Arguments) Python(params string[] arguments) => (PythonReader.Program, [PythonReader.Module, .. arguments]);

    private static (string Program, string[] Arguments) C(params string[] arguments) => (CReader.Example, arguments);

    /// <summary>Makes the directory of a scenario for a test that changes it.</summary>
    private (string Directory, string Expected) Make(string scenario)
    {
        var directory = Path.Combine(_folder, scenario);
        return (directory, ExternalProgram.Run(PythonReader.Program, Maker, scenario, directory));
    }

    private void AssertCannotWrite(string scenario, string option)
    {
        var (directory, _) = made.Of(scenario);
        var (exitCode, _, errors) = ExternalProgram.TryRun("sh", "-c", $"exec \"$0\" cat \"$1\" {option} > /dev/full", CReader.Example, directory);
        Assert.Equal((RefusedExitCode, "the output cannot be written: its disk may be full\n"), (exitCode, errors));
    }

    private void PrintsRecords(Func<string[], (string Program, string[] Arguments)> reader)
    {
        var count = 0;
        foreach (var scenario in made.Scenarios.Where(static one => !one.StartsWith(Refused, StringComparison.Ordinal) && one != "held"))
        {
            var (directory, expected) = made.Of(scenario);
            var before = Snapshot(directory);
            var (program, arguments) = reader(["cat", directory]);
            var actual = ExternalProgram.Run(program, arguments);
            Assert.True(expected == actual, $"{scenario}: {FirstDifference(expected, actual)}");
            Assert.Equal(before, Snapshot(directory));
            var (infoProgram, infoArguments) = reader(["info", directory]);
            Assert.Contains("\"id\": \"00112233-4455-6677-8899-aabbccddeeff\"", ExternalProgram.Run(infoProgram, infoArguments), StringComparison.Ordinal);
            count++;
        }

        Assert.True(count >= 12);
    }

    private void Refuses(Func<string[], (string Program, string[] Arguments)> reader)
    {
        var count = 0;
        foreach (var scenario in made.Scenarios.Where(static one => one.StartsWith(Refused, StringComparison.Ordinal)))
        {
            var (directory, expected) = made.Of(scenario);
            var (program, arguments) = reader(["cat", directory]);
            var (exitCode, output, errors) = ExternalProgram.TryRun(program, arguments);
            Assert.True(exitCode == RefusedExitCode && errors.Length > 0, $"{scenario}: {exitCode} {errors}");
            Assert.Equal((scenario, expected), (scenario, output));
            count++;
        }

        Assert.True(count >= 19);
    }

    private void ShowsNoDamagedRing(Func<string[], (string Program, string[] Arguments)> reader)
    {
        var (directory, _) = made.Of("refused-ring-state");
        var (program, arguments) = reader(["info", directory]);
        var (exitCode, output, errors) = ExternalProgram.TryRun(program, arguments);
        Assert.True(exitCode == RefusedExitCode && errors.Length > 0, $"{exitCode} {errors}");
        Assert.Empty(output);
    }

    private void NamesTheRecord(Func<string[], (string Program, string[] Arguments)> reader)
    {
        var (directory, _) = made.Of("refused-message");
        var (program, arguments) = reader(["cat", directory]);
        Assert.Contains("record at 176", ExternalProgram.TryRun(program, arguments).Errors, StringComparison.Ordinal);
    }

    private void FollowsTheRepaired(string scenario, string repair, Func<string[], (string Program, string[] Arguments)> reader)
    {
        var (directory, before) = Make(scenario);
        var (program, arguments) = reader(["cat", directory, "--follow"]);
        using var process = ExternalProgram.Start(program, arguments);
        foreach (var line in before.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            Assert.Equal(line, ExternalProgram.ReadLine(process));
        }

        var after = ExternalProgram.Run(PythonReader.Program, Maker, repair, directory).TrimEnd('\n');
        var next = process.StandardOutput.ReadLineAsync();
        Assert.True(next.Wait(TimeSpan.FromSeconds(60)), "The reader waits at the place where the queue was repaired.");
        Assert.Equal(after, next.Result);
    }

    private void WaitsForTheLiving(Func<string[], (string Program, string[] Arguments)> reader)
    {
        var (directory, expected) = Make("held");
        var (program, arguments) = reader(["cat", directory]);
        using (var holder = ExternalProgram.Start(PythonReader.Program, Maker, "hold", Path.Combine(directory, "leases", "9")))
        {
            Assert.Equal("held", ExternalProgram.ReadLine(holder));
            Assert.Equal(expected, ExternalProgram.Run(program, arguments));
            holder.StandardInput.WriteLine();
            holder.WaitForExit();
        }

        // Its producer died: the record is stepped over.
        Assert.Equal(2, ExternalProgram.Run(program, arguments).Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
    }

    // A durable reader sees all records. One of a bounded queue is overtaken, and sees whole records in order, of which the last is one.
    private void ReadsWhileItIsWritten(Func<string[], (string Program, string[] Arguments)> reader)
    {
        var directory = Path.Combine(_folder, "durable");
        var numbers = ReadLive("live-durable", directory, reader);
        Assert.Equal(Enumerable.Range(0, LiveRecords), numbers);

        numbers = ReadLive("live-bounded", Path.Combine(_folder, "bounded"), reader);
        Assert.Equal(LiveRecords - 1, numbers[^1]);
        Assert.Equal(numbers.Distinct().Order(), numbers);
    }

    private static List<int> ReadLive(string scenario, string directory, Func<string[], (string Program, string[] Arguments)> reader)
    {
        using var writer = ExternalProgram.Start(PythonReader.Program, Maker, scenario, directory, $"{LiveRecords}");
        Assert.Equal("ready", ExternalProgram.ReadLine(writer));
        var (program, arguments) = reader(["cat", directory, "--follow"]);
        using var process = ExternalProgram.Start(program, arguments);
        var errors = process.StandardError.ReadToEndAsync();
        writer.StandardInput.WriteLine();
        var numbers = new List<int>();
        while (numbers.Count == 0 || numbers[^1] != LiveRecords - 1)
        {
            var line = ExternalProgram.ReadLine(process);
            Assert.True(line is not null, errors.IsCompleted ? errors.Result : "The reader ended.");
            numbers.Add(NumberIn(line));
        }

        writer.WaitForExit();
        return numbers;
    }

    // Each record has its number and the square of it, again and again.
    private static int NumberIn(string line)
    {
        const string Property = "\"payload\":\"";
        var start = line.IndexOf(Property, StringComparison.Ordinal) + Property.Length;
        var payload = Convert.FromBase64String(line[start..line.LastIndexOf('"')]);
        var number = BitConverter.ToInt64(payload);
        for (var i = 0; i < payload.Length; i += 16)
        {
            Assert.Equal((number, number * number), (BitConverter.ToInt64(payload, i), BitConverter.ToInt64(payload, i + 8)));
        }

        Assert.Equal(16 * ((number % 40) + 1), payload.Length);
        return (int)number;
    }

    private static string Snapshot(string directory) =>
        string.Join('\n', Directory.EnumerateFileSystemEntries(directory, "*", SearchOption.AllDirectories)
            .Order(StringComparer.Ordinal)
            .Select(static path => string.Create(CultureInfo.InvariantCulture, $"{path} {(File.Exists(path) ? Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(File.ReadAllBytes(path))) : "")} {File.GetLastWriteTimeUtc(path):O}")));

    private static string FirstDifference(string expected, string actual)
    {
        var (left, right) = (expected.Split('\n'), actual.Split('\n'));
        var line = Enumerable.Range(0, Math.Min(left.Length, right.Length)).FirstOrDefault(i => left[i] != right[i], Math.Min(left.Length, right.Length) - 1);
        return $"line {line + 1} of {left.Length} must be '{left[line]}', is '{right[line]}'";
    }
}
