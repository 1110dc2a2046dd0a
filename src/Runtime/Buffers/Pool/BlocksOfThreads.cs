namespace BufferedMessages;

/// <summary>The blocks of a pool that its threads keep for themselves, up to a number of threads. Thread-safe.</summary>
internal sealed class BlocksOfThreads
{
    // Of the pool that this thread used last; those of its other pools follow.
    [ThreadStatic]
    private static ThreadBlocks? _first;

    private readonly Lock _gate = new();
    private readonly List<ThreadBlocks> _all = [];
    private readonly ThreadBlockCounts[] _ofEndedThreads = new ThreadBlockCounts[BufferSizes.BlockClasses];
    private readonly WeakReference<BlocksOfThreads> _self;
    private readonly int _mostThreads;
    private volatile bool _isFull;

    /// <param name="mostThreads">The number of threads that may keep blocks at a time.</param>
    public BlocksOfThreads(int mostThreads)
    {
        _mostThreads = mostThreads;
        _isFull = mostThreads == 0;
        _self = new WeakReference<BlocksOfThreads>(this);
    }

    // A thread holds its blocks for as long as it lives, also if their pool was collected.
    ~BlocksOfThreads() => _all.ForEach(static blocks => blocks.Drop());

    /// <summary>Gives the blocks of this thread, or null if other threads keep as many as is allowed.</summary>
    public ThreadBlocks? OfThisThread() => _first is { } first && first.Pool == _self ? first : Find();

    /// <summary>Forgets all blocks.</summary>
    public void Drop()
    {
        lock (_gate)
        {
            ForgetEndedThreads();
            _all.ForEach(static blocks => blocks.Drop());
        }
    }

    /// <summary>Forgets the blocks that their threads did not need since the last call, size by size.</summary>
    public void DropUnneeded()
    {
        lock (_gate)
        {
            ForgetEndedThreads();
            _all.ForEach(static blocks => blocks.DropUnneeded());
        }
    }

    /// <summary>The counts of a size, over all threads.</summary>
    public ThreadBlockCounts Read(int sizeClass)
    {
        lock (_gate)
        {
            var counts = _ofEndedThreads[sizeClass];
            foreach (var blocks in _all)
            {
                counts += blocks.Read(sizeClass);
            }

            return counts;
        }
    }

    // Puts those of this pool first, and takes out those of pools that were collected.
    private ThreadBlocks? Find()
    {
        ThreadBlocks? found = null;
        ref var link = ref _first;
        while (link is { } blocks)
        {
            if (blocks.Pool == _self)
            {
                found = blocks;
                link = blocks.Next;
            }
            else if (blocks.Pool.TryGetTarget(out _))
            {
                link = ref blocks.Next;
            }
            else
            {
                link = blocks.Next;
            }
        }

        found ??= Add();
        if (found is not null)
        {
            found.Next = _first;
            _first = found;
        }

        return found;
    }

    private ThreadBlocks? Add()
    {
        if (_isFull)
        {
            return null;
        }

        lock (_gate)
        {
            ForgetEndedThreads();
            if (_isFull)
            {
                return null;
            }

            var blocks = new ThreadBlocks(_self, Thread.CurrentThread);
            _all.Add(blocks);
            _isFull = _all.Count == _mostThreads;
            return blocks;
        }
    }

    private void ForgetEndedThreads()
    {
        for (var i = _all.Count - 1; i >= 0; i--)
        {
            var blocks = _all[i];
            if (blocks.IsOfLiveThread)
            {
                continue;
            }

            blocks.Drop();
            for (var sizeClass = 0; sizeClass < BufferSizes.BlockClasses; sizeClass++)
            {
                _ofEndedThreads[sizeClass] += blocks.Read(sizeClass);
            }

            _all.RemoveAt(i);
        }

        _isFull = _all.Count == _mostThreads;
    }
}
