using System.CommandLine;
using BufferedMessages.Running;
using BufferedMessages.Sessions;

var arguments = new SessionArguments();
var program = new RootCommand("Measures the queue between processes, and in the same run what the bare machine does: the floor.");
arguments.AddTo(program);
Add("throughput", MeasuredOptions.Throughput, "Messages per second, from the first publish to the last commit; floor: a bare ring of one producer and one consumer", options => [ThroughputSession.Run(options)]);
Add("payloads", MeasuredOptions.Payloads, "Throughput with payloads of 16 bytes to a megabyte", MatrixSession.RunPayloads);
Add("shapes", MeasuredOptions.Shapes, "Throughput of 1 x 1, 4 x 1, 1 x 4 and a group of 4 x 4 processes", MatrixSession.RunShapes);
Add("flushes", MeasuredOptions.Flushes, "Throughput of a durable queue on the disk, by flush mode", MatrixSession.RunFlushes);
Add("latency", MeasuredOptions.Latency, "Round trip over two queues; floor: two processes that pass a cache line to and fro", options => [LatencySession.Run(options)]);
Add("waits", MeasuredOptions.Waits, "Latency by the way to wait", MatrixSession.RunWaits);
Add("open-loop", MeasuredOptions.OpenLoop, "From when a message was due until it is read, at a fixed rate; floor: a bare ring", options => [OpenLoopSession.Run(options)]);
Add("wakeup", MeasuredOptions.Wakeup, "From the publish until a sleeping consumer has the message; floor: a bare futex", options => [WakeupSession.Run(options)]);
Add("rolls", MeasuredOptions.Rolls, "Each publish to a durable queue while it makes new segments; floor: the same copies into bare mapped files", options => [RollsSession.Run(options)]);
Add("catch-up", MeasuredOptions.CatchUp, "A consumer a gigabyte behind a producer that goes on; floor: plain reads of the same files", options => [CatchUpSession.Run(options)]);
Add("recovery", MeasuredOptions.Recovery, "From the kill of a producer within a message until the message after it is read; floor: until the process is gone", options => [RecoverySession.Run(options)]);
Add("segments", MeasuredOptions.Segments, "Opening a queue of 10,000 segments, and publishing after them; floor: one segment", SegmentsSession.Run);
Add("typed", MeasuredOptions.Typed, "An object here, one field or all fields read there: three formats over queue, pipe and Unix socket", TypedSession.Run);
Add("publish", MeasuredOptions.Publish, "An order from object to visible, one thread; floor: writing it into an array", PublishSession.Run);
Add("field", MeasuredOptions.Field, "Reading one field by the size of the message, one thread; floor: the smallest message", FieldSession.Run);
Add("page", MeasuredOptions.Page, "The producer of a queue that a page of `bufferedmessages serve` shows, beside 99 others, and the page's answers; floor: without a page", PageSession.Run);
Add("all", MeasuredOptions.All, "The configurations that the project is held to", AllSessions.Run);
AddCommand(SteadySession.Name, MeasuredOptions.Steady, "What users get, in steady state: all ways of a case in turns, round by round (--case, --shape); its results are an object of their own", SteadySession.Defaults, options => SteadySession.Run(options, args));
AddRole(ThroughputProducer.Role, ThroughputProducer.Serve);
AddRole(ThroughputConsumer.Role, ThroughputConsumer.Serve);
AddRole(LatencyCaller.Role, LatencyCaller.Serve);
AddRole(LatencyAnswerer.Role, LatencyAnswerer.Serve);
AddRole(OpenLoopProducer.Role, OpenLoopProducer.Serve);
AddRole(OpenLoopConsumer.Role, OpenLoopConsumer.Serve);
AddRole(WakeupWaker.Role, WakeupWaker.Serve);
AddRole(WakeupSleeper.Role, WakeupSleeper.Serve);
AddRole(RollsProducer.Role, RollsProducer.Serve);
AddRole(RollsConsumer.Role, RollsConsumer.Serve);
AddRole(CatchUpProducer.Role, CatchUpProducer.Serve);
AddRole(CatchUpConsumer.Role, CatchUpConsumer.Serve);
AddRole(RecoveryVictim.Role, RecoveryVictim.Serve);
AddRole(FlowWriter.Role, FlowWriter.Serve);
AddRole(FlowReader.Role, FlowReader.Serve);
AddRole(TypedWriter.Role, TypedWriter.Serve);
AddRole(TypedReader.Role, TypedReader.Serve);
return await RunnerCommand.RunAsync(
    program,
    args,
    "dotnet run -c Release --project benchmarks/Toolkit.Sessions -- all",
    "dotnet run -c Release --project benchmarks/Toolkit.Sessions -- throughput --mode durable --payload 1024");

void Add(string name, string[] measured, string description, Func<SessionOptions, IReadOnlyList<SessionResult>> run) =>
    AddCommand(
        name,
        measured,
        description,
        new SessionOptions(),
        options =>
        {
            Report.Write(run(options), options.JsonFile);
            return 0;
        });

void AddCommand(string name, string[] measured, string description, SessionOptions defaults, Func<SessionOptions, int> run)
{
    var session = new Command(name, description);
    session.SetAction(parsed =>
    {
        var options = arguments.Read(parsed, defaults);
        var fault = arguments.FindUnmeasured(parsed, measured) is { } option ? $"The session '{name}' does not measure {option}. Leave it out." : options.Fault;
        if (fault is not null)
        {
            Console.Error.WriteLine(fault);
            return RunnerCommand.Mistake;
        }

        try
        {
            return run(options);
        }
        catch (ArgumentException exception)
        {
            // No queue can have these options.
            Console.Error.WriteLine(exception.Message);
            return RunnerCommand.Mistake;
        }
        catch (PeerEndedException exception) when (!RunnerCommand.Stopping.IsCancellationRequested)
        {
            Console.Error.WriteLine(exception.Message);
            return RunnerCommand.Failed;
        }
    });
    program.Subcommands.Add(session);
}

// The processes of sessions.
void AddRole(string name, Action<SessionOptions> serve)
{
    var role = new Command(name) { Hidden = true };
    role.SetAction(parsed =>
    {
        serve(arguments.Read(parsed, new SessionOptions()));
        return 0;
    });
    program.Subcommands.Add(role);
}
