using BufferedMessages.Queues;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>Inspects the queue of a round again and again, while processes die. Damage that it finds is a fault of the round.</summary>
internal sealed class InspectionWatch : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly RoundNotes _notes;
    private readonly string _queue;
    private readonly Thread _thread;

    public InspectionWatch(string queue, RoundNotes notes)
    {
        _queue = queue;
        _notes = notes;
        _thread = new Thread(Look) { IsBackground = true };
        _thread.Start();
    }

    /// <summary>How many inspections came to their end.</summary>
    public int Inspections { get; private set; }

    public void Dispose()
    {
        _stop.Cancel();
        _thread.Join();
        _stop.Dispose();
    }

    private void Look()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                var report = QueueInspection.Run(_queue, new InspectionDepth(Checksums: true, Messages: true), static _ => { }, _stop.Token);
                foreach (var finding in report.Findings.Where(static finding => finding.Kind is FindingKind.Damage or FindingKind.Torn or FindingKind.Unknown))
                {
                    _notes.Fault(ref _notes.Head.Corrupt, $"inspection {Inspections}: {finding}");
                }

                Inspections++;
            }
            catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException && Inspections == 0)
            {
                // The queue is not created yet.
                Thread.Sleep(1);
            }
            catch (OperationCanceledException) when (_stop.IsCancellationRequested)
            {
                return;
            }
            catch (Exception exception)
            {
                _notes.Fault(ref _notes.Head.Corrupt, $"inspection {Inspections}: {exception}");
            }
        }
    }
}
